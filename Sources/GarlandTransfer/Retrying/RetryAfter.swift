import HTTPTypes

/// Reads `Retry-After` (RFC 9110, section 10.2.3).
public enum RetryAfter {
  private static let name = HTTPField.Name("Retry-After")

  /// Returns the wait that the server requests: seconds, or the time until a date, at least 0. Returns nil if
  /// the field is missing or invalid.
  public static func duration(_ fields: HTTPFields?, now: Int64) -> Duration? {
    guard let name, let value = fields?[name] else { return nil }
    if !value.isEmpty, value.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      let seconds = Int64(value) ?? .max
      return .seconds(min(seconds, 1 << 40))
    }
    return CookieDate.parse(value).map { .seconds(max(0, $0 - now)) }
  }
}
