import GarlandText

/// Evaluates the conditions of a request (RFC 9110, section 13), such as `If-None-Match`, for a representation with a strong validator.
struct Preconditions {
  let etag: String
  var lastModified: String?

  /// Checks the conditions of a request, such as `If-None-Match`, in the order of RFC 9110, section 13.2.2. If a condition is not met,
  /// returns the response with status 304 or 412 that is sent instead of the representation; otherwise nil.
  func evaluate(_ request: SandboxRequest, headers: [HeaderField]) -> Refusal? {
    let reads = request.method == "GET" || request.method == "HEAD"
    let failed = Refusal(412, "the representation is another: its ETag is \(etag)", headers: [HeaderField("ETag", etag)])
    if request.headers.contains("If-Match") {
      guard lists(request, "If-Match", weakly: false) else { return failed }
    } else if let date = date(of: "If-Unmodified-Since", in: request), let modified {
      guard modified <= date else { return failed }
    }
    if request.headers.contains("If-None-Match") {
      guard lists(request, "If-None-Match", weakly: true) else { return nil }
      return reads ? Refusal(SandboxResponse(304, headers: headers, body: .none)) : failed
    }
    if reads, let date = date(of: "If-Modified-Since", in: request), let modified, modified <= date {
      return Refusal(SandboxResponse(304, headers: headers, body: .none))
    }
    return nil
  }

  private var modified: Int64? { lastModified.flatMap { HTTPDate.parse($0, now: 0) } }

  /// Returns the date of a header field, in seconds since 1970. The modification date of the representation determines the century of a
  /// two-digit year.
  private func date(of field: String, in request: SandboxRequest) -> Int64? {
    request.headers.first(field).flatMap { HTTPDate.parse($0, now: modified ?? 0) }
  }

  private func lists(_ request: SandboxRequest, _ field: String, weakly: Bool) -> Bool {
    request.headers.list(field).contains { tag in
      if tag == "*" { return true }
      if weakly, tag.hasPrefix("W/") { return String(tag.dropFirst(2)) == etag }
      return tag == etag
    }
  }
}
