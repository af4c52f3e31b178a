import HTTPTypes

/// Resumes a download: creates the request for the missing bytes, and decides whether the response continues the existing bytes (RFC 9110,
/// sections 13.1.5, 14 and 15.3.7).
///
/// The type is a pure value. Bytes are appended only if the response shows that they begin where the existing bytes end, that they are all
/// missing bytes, and that the resource is unchanged. If the response does not show all of this, the whole resource is requested, but only
/// once.
struct Resumption: Sendable, Hashable {
  enum Step: Sendable, Hashable {
    /// Requests only the missing bytes, with the field `Range`.
    case range
    /// Requests the resource only if it has changed since the existing bytes were received, because these bytes may already be complete.
    case check
    /// Requests the whole resource.
    case whole
  }

  enum Action: Sendable, Hashable {
    /// The body contains only the missing bytes; `length` is the length of the whole resource.
    case append(length: Int64)
    /// The existing bytes are the whole resource.
    case complete
    /// The body is the whole resource.
    case replace
    /// The response is discarded, and the request is sent again with the current
    /// ``Resumption/fields``.
    case again
    /// The response does not affect the existing bytes, for example because it is an error. The response is
    /// delivered.
    case deliver
    /// The response is treated as an error: it contains only a part, although the whole resource was requested.
    case refuse
  }

  let data: ResumeData
  /// The number of bytes that the partial file already contains.
  let offset: Int64
  private(set) var step: Step
  /// The length of the resource in bytes, from a 416 response (the requested range is beyond the end of the resource); nil before such a
  /// response.
  private var lengthWithoutRest: Int64?

  init(_ data: ResumeData, offset: Int64) {
    self.data = data
    self.offset = offset
    step = data.length == offset ? .check : .range
  }

  /// The header fields that the resumption adds to the request; they depend on `step`.
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

  /// Processes the header of a response that is not a redirect, and returns the next action.
  mutating func take(status: Int, fields: HTTPFields) -> Action {
    switch (step, status) {
    case (_, 200): return .replace
    case (.whole, 206): return Self.isWhole(fields) ? .replace : .refuse
    case (.range, 206):
      if let length = length(ofRestIn: fields) { return .append(length: length) }
      return again(.whole)
    case (.range, 416):
      if case .unsatisfied(let length)? = fields[.contentRange].flatMap(ContentRange.init) { lengthWithoutRest = length }
      // If no bytes are missing, the existing bytes may still be wrong: a server may check only the range.
      return again(.check)
    case (.check, 304):
      // Servers compare weakly here (RFC 9110, section 13.1.2): their tag may be that of an
      // equivalent but different state.
      return data.isNotContradicted(by: fields) && (data.length ?? lengthWithoutRest) == offset ? .complete : again(.whole)
    default: return .deliver
    }
  }

  /// Whether a 206 response contains the whole resource although no range was requested.
  static func isWhole(_ fields: HTTPFields) -> Bool {
    guard case .range(first: 0, let last, let length?)? = fields[.contentRange].flatMap(ContentRange.init) else { return false }
    return last == length - 1
  }

  private mutating func again(_ next: Step) -> Action {
    step = next
    return .again
  }

  /// Returns the length of the whole resource if a 206 contains exactly the missing bytes; otherwise nil.
  private func length(ofRestIn fields: HTTPFields) -> Int64? {
    guard data.isSame(as: fields), ResumeData.isIdentity(fields),
      case .range(let first, let last, let named)? = fields[.contentRange].flatMap(ContentRange.init), first == offset,
      let length = named ?? data.length, length == data.length ?? length, last == length - 1
    else { return nil }
    // If a response contains the length of the part, the length must agree with the range.
    if case .bytes(let count) = AnnouncedLength(fields[values: .contentLength]), count != length - first { return nil }
    return length
  }
}
