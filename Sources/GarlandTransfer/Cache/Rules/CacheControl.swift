import HTTPTypes

/// The directives of `Cache-Control` (RFC 9111, section 5.2; RFC 5861; RFC 8246) that matter to a private cache.
///
/// Times are in seconds. If a lifetime directive is invalid or repeated, the shorter time is used: a lifetime that is too short only costs
/// a request, but with a lifetime that is too long, outdated responses would be used without notice.
struct CacheControl: Sendable, Hashable {
  var maxAge: Int64?
  /// The number of seconds for which the request still accepts a stored response after the response has expired (`max-stale`). `Int64.max`
  /// means that there is no limit.
  var maxStale: Int64?
  var minFresh: Int64?
  var staleIfError: Int64?
  var noCache = false
  var noStore = false
  var mustRevalidate = false
  var mustUnderstand = false
  var onlyIfCached = false
  var isPublic = false
  var isPrivate = false
  var isImmutable = false

  /// Reads the directives of a header. `Pragma: no-cache` is used only if there is no `Cache-Control` (RFC 9111, section 5.4).
  init(_ fields: HTTPFields) {
    var hasAny = false
    for field in fields[fields: .cacheControl] {
      hasAny = true
      parse(field.value)
    }
    guard !hasAny, let pragma = HTTPField.Name("Pragma") else { return }
    for value in fields[values: pragma] where value.lowercased().utf8.elementsEqual("no-cache".utf8) { noCache = true }
  }

  private mutating func parse(_ text: String) {
    var scanner = DirectiveScanner(text)
    while let (name, value) = scanner.next() {
      switch name {
      case "max-age": maxAge = shorter(maxAge, Self.seconds(value) ?? 0)
      case "max-stale": maxStale = shorter(maxStale, value == nil ? .max : Self.seconds(value) ?? 0)
      case "min-fresh": minFresh = max(minFresh ?? 0, Self.seconds(value) ?? 0)
      case "stale-if-error": staleIfError = shorter(staleIfError, Self.seconds(value) ?? 0)
      // `no-cache` with field names requires validation only for these fields. Like many caches, this cache applies it to the whole
      // response.
      case "no-cache": noCache = true
      case "no-store": noStore = true
      case "must-revalidate": mustRevalidate = true
      case "must-understand": mustUnderstand = true
      case "only-if-cached": onlyIfCached = true
      case "public": isPublic = true
      case "private": isPrivate = true
      case "immutable": isImmutable = true
      default: continue
      }
    }
  }

  private func shorter(_ old: Int64?, _ new: Int64) -> Int64 { min(old ?? .max, new) }

  /// Parses a number of seconds, which consists only of digits (RFC 9111, section 1.2.2). Returns 2^31 if the number is larger, and nil
  /// if the text is not such a number.
  static func seconds(_ text: String?) -> Int64? {
    guard let text, !text.isEmpty else { return nil }
    var value: Int64 = 0
    for byte in text.utf8 {
      guard (0x30...0x39).contains(byte) else { return nil }
      value = min(value * 10 + Int64(byte - 0x30), 1 << 31)
    }
    return value
  }
}

/// Reads a comma-separated list of `name[=value]`, where a value may be quoted.
private struct DirectiveScanner {
  private var rest: Substring.UTF8View

  init(_ text: String) { rest = text[...].utf8 }

  mutating func next() -> (name: String, value: String?)? {
    while let byte = rest.first, byte == 0x2C || byte == 0x20 || byte == 0x09 { rest.removeFirst() }
    if rest.isEmpty { return nil }
    let name = String(Substring(rest.prefix { $0 != 0x2C && $0 != 0x3D && $0 != 0x20 && $0 != 0x09 }))
    rest = rest.dropFirst(name.utf8.count)
    skipBlanks()
    guard rest.first == UInt8(ascii: "=") else { return (name.lowercased(), nil) }
    rest.removeFirst()
    skipBlanks()
    if rest.first == UInt8(ascii: "\"") { return (name.lowercased(), quoted()) }
    let value = String(Substring(rest.prefix { $0 != 0x2C && $0 != 0x20 && $0 != 0x09 }))
    rest = rest.dropFirst(value.utf8.count)
    return (name.lowercased(), value)
  }

  private mutating func skipBlanks() { while let byte = rest.first, byte == 0x20 || byte == 0x09 { rest.removeFirst() } }

  private mutating func quoted() -> String {
    rest.removeFirst()
    var bytes: [UInt8] = []
    while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
      if byte == UInt8(ascii: "\\"), let escaped = rest.popFirst() { bytes.append(escaped) } else { bytes.append(byte) }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
