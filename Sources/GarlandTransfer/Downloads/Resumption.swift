import HTTPTypes

/// The resumption of a download: the request for the rest, and the meaning of the response for the
/// existing bytes (RFC 9110, sections 13.1.5, 14 and 15.3.7).
///
/// A pure value. Bytes are appended only if the response says that they begin where the existing
/// ones end, that they are the rest, and that the resource is unchanged. In any doubt the whole
/// resource is requested, once.
struct Resumption: Sendable, Hashable {
  enum Step: Sendable, Hashable {
    /// Requests the rest.
    case range
    /// Asks whether the resource has changed, since there may be no rest.
    case check
    /// Requests the whole resource.
    case whole
  }

  enum Action: Sendable, Hashable {
    /// The body is the rest; the length is that of the whole.
    case append(length: Int64)
    /// The existing bytes are the whole resource.
    case complete
    /// The body is the whole resource.
    case replace
    /// The response is dropped, and the request is sent again with the current
    /// ``Resumption/fields``.
    case again
    /// The response, for example an error, says nothing about the existing bytes and is delivered.
    case deliver
    /// A part arrived although the whole was requested.
    case refuse
  }

  let data: ResumeData
  /// The number of existing bytes.
  let offset: Int64
  private(set) var step: Step
  /// The length that a server named when it had no rest.
  private var lengthWithoutRest: Int64?

  init(_ data: ResumeData, offset: Int64) {
    self.data = data
    self.offset = offset
    step = data.length == offset ? .check : .range
  }

  /// The request fields of the current step.
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

  /// Takes the head of a response that is not a redirect.
  mutating func take(status: Int, fields: HTTPFields) -> Action {
    switch (step, status) {
    case (_, 200): return .replace
    case (.whole, 206): return Self.isWhole(fields) ? .replace : .refuse
    case (.range, 206):
      if let length = length(ofRestIn: fields) { return .append(length: length) }
      return again(.whole)
    case (.range, 416):
      if case .unsatisfied(let length)? = fields[.contentRange].flatMap(ContentRange.init) { lengthWithoutRest = length }
      // A missing rest does not prove that the existing bytes are right: a server may check only
      // the range.
      return again(.check)
    case (.check, 304):
      // Servers compare weakly here (RFC 9110, section 13.1.2): their tag may be that of an
      // equivalent but different state.
      return data.isNotContradicted(by: fields) && (data.length ?? lengthWithoutRest) == offset ? .complete : again(.whole)
    default: return .deliver
    }
  }

  /// Whether an unrequested part is the whole resource.
  static func isWhole(_ fields: HTTPFields) -> Bool {
    guard case .range(first: 0, let last, let length?)? = fields[.contentRange].flatMap(ContentRange.init) else { return false }
    return last == length - 1
  }

  private mutating func again(_ next: Step) -> Action {
    step = next
    return .again
  }

  /// Returns the length of the whole if a 206 contains the rest.
  private func length(ofRestIn fields: HTTPFields) -> Int64? {
    guard data.isSame(as: fields), ResumeData.isIdentity(fields),
      case .range(let first, let last, let named)? = fields[.contentRange].flatMap(ContentRange.init), first == offset,
      let length = named ?? data.length, length == data.length ?? length, last == length - 1
    else { return nil }
    // A response that names the length of the part must agree with its range.
    if case .bytes(let count) = AnnouncedLength(fields[values: .contentLength]), count != length - first { return nil }
    return length
  }
}
