import HTTPTypes
import Synchronization

/// Transfers that resume a download.
extension Transfer {
  /// The target of the download if its partial file is kept for later downloads, otherwise nil. Only downloads with GET can be resumed,
  /// since HTTP defines ranges only for GET (RFC 9110, section 14.2).
  var keepingTarget: DownloadTarget? {
    guard case .file(let target) = request.destination, mayResume else { return nil }
    return switch target.partial {
    case .discarded, .offered: nil
    case .kept, .resumes: target
    }
  }

  private var mayResume: Bool {
    local.resource == nil && !isFTP && request.method == .get && request.body.isEmpty && request.channel == nil
      && request.headerFields[.range] == nil
      && request.headerFields[.ifRange] == nil
  }

  /// The request's URL in the form that is stored with a partial download: without user, password and fragment.
  var resourceURL: String { ResumeData.resource(of: request.url) }

  /// Stores the partial download that was found on the disk, so that the transfer can resume it.
  func take(_ partial: PartialFile) {
    continuation.take(partial.resumeData.map { Resumption($0, offset: partial.size) }, in: partial)
  }

  /// Adds the header fields that make a download resumable. For a partial download, also adds the fields that request the missing bytes.
  func addPartialFields(to fields: inout HTTPFields) {
    guard keepingTarget != nil else { return }
    // The stored bytes are the resource itself: ranges of a coded form cannot be combined.
    if fields[.acceptEncoding] == nil { fields[.acceptEncoding] = "identity" }
    for field in continuation.resumption?.fields ?? [] { fields.append(field) }
  }

  /// Decides how a response affects the partial download. Returns false if the request has to be
  /// sent again.
  func resumes() -> Bool { keepingTarget == nil || continuation.resumes(with: &intake) }

  /// Returns whether more bytes have arrived than the response's header announced. If so, records the failure and removes the partial
  /// download.
  func exceedsAnnouncedRest() -> Bool {
    guard let excess = continuation.excess(in: intake) else { return false }
    if case .file = intake.sink { intake.sink.abandon() } else { continuation.partial?.remove() }
    continuation.take(nil)
    intake.failure = excess
    return true
  }

  /// The error if fewer bytes arrived than the response's header announced; otherwise nil.
  var missingRest: NetworkingError.Reason? { continuation.missingRest(in: intake) }

  /// Creates the file into which the body is written: a temporary file, or the partial file of the download.
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

  /// Keeps the partial download after an error in two cases:
  ///
  /// - The caller or the destination of the download requires that a partial download is kept, and the body did not exceed its size limit.
  /// - The destination offers resume data, and the connection was interrupted.
  ///
  /// Returns the resume data; nil if no partial download is kept.
  func keptPartial(after reason: NetworkingError.Reason) -> ResumeData? {
    guard case .file(let target) = request.destination else { return nil }
    let isRequested = keepingTarget != nil || keepsPartial.load(ordering: .relaxed)
    var data: ResumeData?
    if case .file(let writer) = intake.sink {
      let isKept = isRequested ? reason.kind != .bodyTooLarge : target.partial == .offered && reason.isInterruption
      guard isKept else { return nil }
      data = writer.keep()
    } else {
      // The transfer ended before it changed the file, so the existing bytes are unchanged.
      data = continuation.resumption?.data
    }
    continuation.partial = nil
    if case .resumes(let given) = target.partial {
      data?.owner = given.owner
    } else if !isRequested, let path = data?.path {
      data?.owner = PartialFileOwner(path: path)
    }
    return data
  }
}

extension NetworkingError.Reason {
  /// Whether the bytes that arrived before this error are valid bytes of the resource. True for a failed connection and for an exceeded
  /// time limit.
  fileprivate var isInterruption: Bool {
    switch kind {
    case .timeout, .connectionLost, .truncated, .unreachable, .tls: true
    default: false
    }
  }
}
