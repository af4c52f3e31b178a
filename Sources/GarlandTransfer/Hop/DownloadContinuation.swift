/// The partial download that a transfer may continue. The type decides how a response changes the partial download.
struct DownloadContinuation {
  /// The effect of a response on an existing partial download.
  enum Use {
    /// The response does not change the partial download, since the response's body is not the downloaded resource but, for example, an
    /// error page.
    case none
    /// The body replaces the partial download.
    case replaced
    /// The body continues the partial download: it is appended to the partial file. A response without a body appends nothing.
    case continued
  }

  /// The partial file of the download on the disk; nil if there is none.
  var partial: PartialFile?
  private(set) var resumption: Resumption?
  var use = Use.none

  private static let partOnly = NetworkingError.Reason.invalidResponse(detail: "it is a partial response to a request for the whole")

  /// Sets the partial file, and the ``Resumption`` that requests the missing bytes of this file.
  mutating func take(_ resumption: Resumption?, in partial: PartialFile? = nil) {
    self.partial = partial
    self.resumption = resumption
  }

  /// Sets ``resumption`` to nil. Call this method if the response's body is the whole resource and therefore replaces the partial download.
  mutating func forgetBeginning() { resumption = nil }

  /// Decides how a response affects the partial download. Returns false if the caller must send the request again.
  mutating func resumes(with intake: inout ResponseIntake) -> Bool {
    guard var resumption else {
      if intake.head.status == 200 { use = .replaced }
      if intake.head.status == 206, !Resumption.isWhole(intake.head.fields) { intake.failure = Self.partOnly }
      return true
    }
    let action = resumption.take(status: intake.head.status, fields: intake.head.fields)
    self.resumption = resumption
    switch action {
    case .append(let length):
      use = .continued
      intake.head.becomeWhole(length: length)
      intake.received = resumption.offset
    case .complete:
      use = .continued
      intake.head.becomeWhole(length: resumption.offset)
      intake.received = resumption.offset
    case .replace: use = .replaced
    case .deliver: break
    case .again: return false
    case .refuse: intake.failure = Self.partOnly
    }
    return true
  }

  /// Returns the error if more bytes arrived than the response header of a continued download announces; otherwise nil. After such an
  /// error, it is unknown which bytes of the file are correct.
  func excess(in intake: ResponseIntake) -> NetworkingError.Reason? {
    guard use == .continued, let whole = intake.head.contentLength, intake.received > whole else { return nil }
    return .invalidResponse(detail: "more bytes arrived than the rest of \(whole) bytes that its `Content-Range` announces")
  }

  /// Returns the error if fewer bytes arrived than the `Content-Length` of a continued download announces; otherwise nil.
  func missingRest(in intake: ResponseIntake) -> NetworkingError.Reason? {
    guard use == .continued, let whole = intake.head.contentLength, intake.received < whole else { return nil }
    return .truncated(received: intake.received, expected: whole)
  }
}
