import HTTPTypes

/// How a download is continued: what is asked for, and what an answer means for the bytes that are there (RFC 9110, sections 13.1.5, 14 and 15.3.7).
///
/// A pure value. Bytes are added to those that are there only if the answer says that they begin where those end, that they are the rest, and that the
/// resource is in the state in which the beginning was received. In all doubt the whole is asked for again, which happens once.
struct Resumption: Sendable, Hashable {
  enum Step: Sendable, Hashable {
    /// The rest is asked for.
    case range
    /// There may be no rest: it is asked whether the resource has changed.
    case check
    /// All of it is asked for.
    case whole
  }

  enum Action: Sendable, Hashable {
    /// What comes is the rest; the whole is so long.
    case append(length: Int64)
    /// What is there is the whole.
    case complete
    /// What comes is the whole.
    case replace
    /// Nobody needs this answer. The request is sent again, with what ``Resumption/fields`` says now.
    case again
    /// It is another answer, an error for example, that says nothing about what is there.
    case deliver
    /// A part came where all of it was asked for.
    case refuse
  }

  let data: ResumeData
  /// How many bytes are there.
  let offset: Int64
  private(set) var step: Step
  /// The length that a server named when it had no rest to give.
  private var lengthWithoutRest: Int64?

  init(_ data: ResumeData, offset: Int64) {
    self.data = data
    self.offset = offset
    step = data.length == offset ? .check : .range
  }

  /// What the request says in the current step.
  var fields: [HTTPField] {
    switch (step, data.validator) {
    case (.whole, _): []
    case (.range, .entityTag(let tag)):
      [HTTPField(name: .range, value: "bytes=\(offset)-"), HTTPField(name: .ifRange, value: tag)]
    case (.range, .lastModified(let date)):
      [HTTPField(name: .range, value: "bytes=\(offset)-"), HTTPField(name: .ifRange, value: date)]
    case (.check, .entityTag(let tag)): [HTTPField(name: .ifNoneMatch, value: tag)]
    case (.check, .lastModified(let date)): [HTTPField(name: .ifModifiedSince, value: date)]
    }
  }

  /// Takes the head of an answer that is no redirect.
  mutating func take(status: Int, fields: HTTPFields) -> Action {
    switch (step, status) {
    case (_, 200): return .replace
    case (.whole, 206): return Self.isWhole(fields) ? .replace : .refuse
    case (.range, 206):
      if let length = length(ofRestIn: fields) { return .append(length: length) }
      return again(.whole)
    case (.range, 416):
      if case .unsatisfied(let length)? = fields[.contentRange].flatMap(ContentRange.init) { lengthWithoutRest = length }
      // That there is no rest does not say that what is there is still right: a server may look at the range only.
      return again(.check)
    case (.check, 304):
      // Servers compare weakly here (RFC 9110, section 13.1.2): the tag that they name may be that of a state which only means the same.
      return data.isNotContradicted(by: fields) && (data.length ?? lengthWithoutRest) == offset ? .complete : again(.whole)
    default: return .deliver
    }
  }

  /// Whether a part that nobody asked for is all there is.
  static func isWhole(_ fields: HTTPFields) -> Bool {
    guard case .range(first: 0, let last, let length?)? = fields[.contentRange].flatMap(ContentRange.init) else { return false }
    return last == length - 1
  }

  private mutating func again(_ next: Step) -> Action {
    step = next
    return .again
  }

  /// The length of the whole, if an answer with status 206 has its rest.
  private func length(ofRestIn fields: HTTPFields) -> Int64? {
    guard data.isSame(as: fields), ResumeData.isIdentity(fields),
      case .range(let first, let last, let named)? = fields[.contentRange].flatMap(ContentRange.init), first == offset,
      let length = named ?? data.length, length == data.length ?? length, last == length - 1
    else { return nil }
    // Where it says how long the part is, it says so twice.
    if case .bytes(let count) = AnnouncedLength(fields[values: .contentLength]), count != length - first { return nil }
    return length
  }
}
