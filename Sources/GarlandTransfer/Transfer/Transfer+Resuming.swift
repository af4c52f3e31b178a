import HTTPTypes
import Synchronization

/// Downloads that are continued.
extension Transfer {
  /// The target, if what comes of the download is kept when it breaks off (RFC 9110, section 14.2: ranges are for GET).
  var keepingTarget: DownloadTarget? {
    guard case .file(let target) = request.destination, target.partial != .discarded, mayResume else { return nil }
    return target
  }

  private var mayResume: Bool {
    local.resource == nil && !isFTP && request.method == .get && request.body.isEmpty && request.channel == nil
      && request.headerFields[.range] == nil
      && request.headerFields[.ifRange] == nil
  }

  /// What the record of a beginning says, and its resource is asked for by.
  var resourceURL: String { ResumeData.resource(of: request.url) }

  /// Takes the beginning that was found on the disk.
  func take(_ partial: PartialFile) {
    continuation.take(partial.resumeData.map { Resumption($0, offset: partial.size) }, in: partial)
  }

  /// What the header says besides.
  func addPartialFields(to fields: inout HTTPFields) {
    guard keepingTarget != nil else { return }
    // What is stored is the resource, and a range of a coded form of it can't be put together with another's.
    if fields[.acceptEncoding] == nil { fields[.acceptEncoding] = "identity" }
    for field in continuation.resumption?.fields ?? [] { fields.append(field) }
  }

  /// Finds out what an answer means for what is there. False if the request is to be sent again.
  func resumes() -> Bool { keepingTarget == nil || continuation.resumes(with: &intake) }

  /// Whether more comes than the rest that was announced: then nothing of it stays.
  func exceedsAnnouncedRest() -> Bool {
    guard let excess = continuation.excess(in: intake) else { return false }
    if case .file = intake.sink { intake.sink.abandon() } else { continuation.partial?.remove() }
    continuation.take(nil)
    intake.failure = excess
    return true
  }

  /// What is wrong where less came than the rest that was announced.
  var missingRest: NetworkingError.Reason? { continuation.missingRest(in: intake) }

  /// Opens the file for what comes.
  func openFile(_ target: DownloadTarget) throws(NetworkingError) -> DownloadWriter {
    func suggestion() -> String { DownloadName.suggested(by: intake.head.fields, url: hop?.url.path ?? "") }
    let url = resourceURL
    let length = intake.head.contentLength
    let data = mayResume ? ResumeData(url: url, path: "", status: intake.head.status, fields: intake.head.fields, length: length) : nil
    guard continuation.use != .none else { return try DownloadWriter(target, suggestion: suggestion(), resumeData: data) }
    let continues = continuation.use == .continued
    if !continues { continuation.forgetBeginning() }
    return try DownloadWriter(
      target, suggestion: suggestion(), url: url, partial: continuation.partial, resumeData: data, continues: continues)
  }

  /// Keeps what came of a download, if that is wanted, and says what it can be continued with.
  func keptPartial(after reason: NetworkingError.Reason) -> ResumeData? {
    guard case .file = request.destination else { return nil }
    guard case .file(let writer) = intake.sink else {
      // It did not come so far: what was there is still there.
      defer { continuation.partial = nil }
      return continuation.resumption?.data
    }
    guard keepingTarget != nil || keepsPartial.load(ordering: .relaxed), reason.kind != .bodyTooLarge else { return nil }
    continuation.partial = nil
    return writer.keep()
  }
}
