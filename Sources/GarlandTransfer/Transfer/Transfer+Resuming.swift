import HTTPTypes
import Synchronization

/// Downloads that are continued.
extension Transfer {
  /// What an answer means for the beginning of a download that is there.
  enum PartialUse {
    /// Nothing: what comes is not the resource.
    case none
    /// What comes takes its place.
    case replaced
    /// What comes, if anything does, is added to it.
    case continued
  }

  /// The target, if what comes of the download is kept when it breaks off (RFC 9110, section 14.2: ranges are for GET).
  var keepingTarget: DownloadTarget? {
    guard case .file(let target) = request.destination, target.partial != .discarded, mayResume else { return nil }
    return target
  }

  private var mayResume: Bool {
    local == nil && !isFTP && request.method == .get && request.body.isEmpty && request.channel == nil
      && request.headerFields[.range] == nil
      && request.headerFields[.ifRange] == nil
  }

  /// What the record of a beginning says, and its resource is asked for by.
  var resourceURL: String { ResumeData.resource(of: request.url) }

  /// Takes the beginning that was found on the disk.
  func take(_ partial: PartialFile) {
    self.partial = partial
    if let data = partial.resumeData { resumption = Resumption(data, offset: partial.size) }
  }

  /// What the header says besides.
  func addPartialFields(to fields: inout HTTPFields) {
    guard keepingTarget != nil else { return }
    // What is stored is the resource, and a range of a coded form of it can't be put together with another's.
    if fields[.acceptEncoding] == nil { fields[.acceptEncoding] = "identity" }
    for field in resumption?.fields ?? [] { fields.append(field) }
  }

  /// Finds out what an answer means for what is there. False if the request is to be sent again.
  func resumes() -> Bool {
    guard keepingTarget != nil else { return true }
    guard var resumption else {
      if head.status == 200 { partialUse = .replaced }
      if head.status == 206, !Resumption.isWhole(head.fields) { failure = Self.partOnly }
      return true
    }
    let action = resumption.take(status: head.status, fields: head.fields)
    self.resumption = resumption
    switch action {
    case .append(let length):
      partialUse = .continued
      head.becomeWhole(length: length)
      received = resumption.offset
    case .complete:
      partialUse = .continued
      head.becomeWhole(length: resumption.offset)
      received = resumption.offset
    case .replace: partialUse = .replaced
    case .deliver: break
    case .again: return false
    case .refuse: failure = Self.partOnly
    }
    return true
  }

  private static let partOnly = NetworkingError.Reason.invalidResponse(detail: "it is a part of what was asked for, which was all of it")

  /// Whether more comes than the rest that was announced: then nobody knows what of it is right, and nothing of it stays.
  func exceedsAnnouncedRest() -> Bool {
    guard partialUse == .continued, let whole = head.contentLength, received > whole else { return false }
    if case .file = sink { sink.abandon() } else { partial?.remove() }
    partial = nil
    resumption = nil
    failure = .invalidResponse(detail: "more came than the rest of \(whole) bytes that its `Content-Range` speaks of")
    return true
  }

  /// What is wrong where less came than the rest that was announced.
  var missingRest: NetworkingError.Reason? {
    guard partialUse == .continued, let whole = head.contentLength, received < whole else { return nil }
    return .truncated(received: received, expected: whole)
  }

  /// Opens the file for what comes.
  func openFile(_ target: DownloadTarget) throws(NetworkingError) -> DownloadWriter {
    func suggestion() -> String { DownloadName.suggested(by: head.fields, url: hop?.url.path ?? "") }
    let url = resourceURL
    let length = head.contentLength
    let data = mayResume ? ResumeData(url: url, path: "", status: head.status, fields: head.fields, length: length) : nil
    guard partialUse != .none else { return try DownloadWriter(target, suggestion: suggestion(), resumeData: data) }
    let continues = partialUse == .continued
    if !continues { resumption = nil }
    return try DownloadWriter(target, suggestion: suggestion(), url: url, partial: partial, resumeData: data, continues: continues)
  }

  /// Keeps what came of a download, if that is wanted, and says what it can be continued with.
  func keptPartial(after reason: NetworkingError.Reason) -> ResumeData? {
    guard case .file = request.destination else { return nil }
    guard case .file(let writer) = sink else {
      // It did not come so far: what was there is still there.
      defer { partial = nil }
      return resumption?.data
    }
    guard keepingTarget != nil || keepsPartial.load(ordering: .relaxed), reason.kind != .bodyTooLarge else { return nil }
    partial = nil
    return writer.keep()
  }
}
