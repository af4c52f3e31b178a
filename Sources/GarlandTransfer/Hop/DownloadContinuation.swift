/// A download that is continued, or may be.
struct DownloadContinuation {
  /// What an answer means for the beginning of a download that is there.
  enum Use {
    /// Nothing: what comes is not the resource.
    case none
    /// What comes takes its place.
    case replaced
    /// What comes, if anything does, is added to it.
    case continued
  }

  /// The beginning on the disk.
  var partial: PartialFile?
  private(set) var resumption: Resumption?
  var use = Use.none

  private static let partOnly = NetworkingError.Reason.invalidResponse(detail: "it is a part of what was asked for, which was all of it")

  /// Takes a beginning: its file, and what the rest is asked for with.
  mutating func take(_ resumption: Resumption?, in partial: PartialFile? = nil) {
    self.partial = partial
    self.resumption = resumption
  }

  /// Lets the beginning go: what comes is all there is.
  mutating func forgetBeginning() { resumption = nil }

  /// Finds out what an answer means for what is there. False if the request is to be sent again.
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

  /// What is wrong where more came than the rest that was announced: then nobody knows what of it is right.
  func excess(in intake: ResponseIntake) -> NetworkingError.Reason? {
    guard use == .continued, let whole = intake.head.contentLength, intake.received > whole else { return nil }
    return .invalidResponse(detail: "more came than the rest of \(whole) bytes that its `Content-Range` speaks of")
  }

  /// What is wrong where less came than the rest that was announced.
  func missingRest(in intake: ResponseIntake) -> NetworkingError.Reason? {
    guard use == .continued, let whole = intake.head.contentLength, intake.received < whole else { return nil }
    return .truncated(received: intake.received, expected: whole)
  }
}
