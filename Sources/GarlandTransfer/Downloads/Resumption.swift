import HTTPTypes

/// Resumes a download: creates the request for the missing bytes, and decides whether the response continues the existing bytes (RFC 9110,
/// sections 13.1.5, 14 and 15.3.7).
///
/// The type is a pure value. Bytes are appended only if the response shows three things: it begins where the existing bytes end, it
/// contains all missing bytes, and the resource is unchanged. Otherwise, the whole resource is requested, but only once.
struct Resumption: Sendable, Hashable {
  enum Step: Sendable, Hashable {
    /// Requests only the missing bytes, with the field `Range`.
    case range
    /// Sends a conditional request, since the bytes in the partial file may already be the whole resource. The server sends the resource
    /// only if the resource has changed since these bytes were received.
    case check
    /// Requests the whole resource.
    case whole
  }

  enum Action: Sendable, Hashable {
    /// The body contains only the missing bytes; `length` is the length of the whole resource.
    case append(length: Int64)
    /// The bytes in the partial file are already the whole resource.
    case complete
    /// The body is the whole resource, and replaces the bytes in the partial file.
    case replace
    /// The response is discarded, and the request is sent again with the current
    /// ``Resumption/fields``.
    case again
    /// The response is delivered to the caller, for example because it is an error. The bytes in the partial file stay unchanged.
    case deliver
    /// The response is treated as an error: the request asked for the whole resource, but the response contains only a part of it.
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

  /// The header fields with which the request resumes the download: they request the missing bytes, or ask whether the resource on the
  /// server has changed (``step``). Empty if the whole resource is requested.
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

  /// Whether a 206 response contains the whole resource, according to its `Content-Range`. Such a response can be used even if the request
  /// had no `Range`.
  static func isWhole(_ fields: HTTPFields) -> Bool {
    guard case .range(first: 0, let last, let length?)? = fields[.contentRange].flatMap(ContentRange.init) else { return false }
    return last == length - 1
  }

  private mutating func again(_ next: Step) -> Action {
    step = next
    return .again
  }

  /// Returns the length of the whole resource. Returns nil unless the 206 response contains exactly the bytes that are missing from the
  /// partial file.
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
