import Glibc

/// The languages that a user prefers, as `Accept-Language` has them (RFC 9110, section 12.5.4).
public enum AcceptLanguage {
  /// ```swift
  /// AcceptLanguage.value(for: ["LANG": "de_AT.UTF-8", "LANGUAGE": "de_AT:en"])   // "de-AT, en;q=0.9"
  /// ```
  /// From `LANGUAGE`, else `LC_ALL`, `LC_MESSAGES` or `LANG`; nil where these name none, as `C` and `POSIX` do. At most six.
  public static func value(for environment: [String: String]) -> String? {
    func text(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    // As gettext has it: in the C locale `LANGUAGE` does not count.
    guard let locale = text("LC_ALL") ?? text("LC_MESSAGES") ?? text("LANG"), tag(locale) != nil else { return nil }
    let names = text("LANGUAGE").map { $0.split(separator: ":").map(String.init) } ?? [locale]
    var tags: [String] = []
    for name in names { if let tag = tag(name), !tags.contains(tag), tags.count < 6 { tags.append(tag) } }
    if tags.isEmpty { return nil }
    return tags.enumerated().map { $0.offset == 0 ? $0.element : "\($0.element);q=0.\(10 - $0.offset)" }.joined(separator: ", ")
  }

  /// `de_AT.UTF-8@euro` → `de-AT`.
  private static func tag(_ locale: String) -> String? {
    let name = locale.prefix { $0 != "." && $0 != "@" }
    if name == "C" || name == "POSIX" || name.isEmpty { return nil }
    let tag = name.replacing("_", with: "-")
    return tag.utf8.allSatisfy { $0 == UInt8(ascii: "-") || PercentEncoding.unreserved.contains($0) } ? String(tag) : nil
  }

  /// That of the process's environment, read once.
  static let ofProcess: String? = {
    var environment: [String: String] = [:]
    for name in ["LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"] {
      if let value = getenv(name) { environment[name] = String(cString: value) }
    }
    return value(for: environment)
  }()
}
