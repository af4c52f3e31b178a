import GarlandText
import Glibc

/// The preferred languages of a user as an `Accept-Language` value (RFC 9110, section 12.5.4).
public enum AcceptLanguage {
  /// Returns the `Accept-Language` value for the environment; nil if the environment sets no language.
  ///
  /// ```swift
  /// AcceptLanguage.value(for: ["LANG": "de_AT.UTF-8", "LANGUAGE": "de_AT:en"])   // "de-AT, en;q=0.9"
  /// ```
  /// - The locale is the first of `LC_ALL`, `LC_MESSAGES` and `LANG` that is set.
  /// - Without a locale, or with the locale `C` or `POSIX`, the result is nil, even if `LANGUAGE` is set. gettext does the same.
  /// - With any other locale, the languages come from `LANGUAGE` or, if it is not set, from the locale. At most six languages are used.
  public static func value(for environment: [String: String]) -> String? {
    func text(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    // Ignore `LANGUAGE` in the C locale, as gettext does.
    guard let locale = text("LC_ALL") ?? text("LC_MESSAGES") ?? text("LANG"), tag(locale) != nil else { return nil }
    let names = text("LANGUAGE").map { $0.split(separator: ":").map(String.init) } ?? [locale]
    var tags: [String] = []
    for name in names { if let tag = tag(name), !tags.contains(tag), tags.count < 6 { tags.append(tag) } }
    if tags.isEmpty { return nil }
    return tags.enumerated().map { $0.offset == 0 ? $0.element : "\($0.element);q=0.\(10 - $0.offset)" }.joined(separator: ", ")
  }

  /// Converts a locale such as `de_AT.UTF-8@euro` to a language tag such as `de-AT`; nil if the locale contains no language, as with `C`.
  private static func tag(_ locale: String) -> String? {
    let name = locale.prefix { $0 != "." && $0 != "@" }
    if name == "C" || name == "POSIX" || name.isEmpty { return nil }
    let tag = name.replacing("_", with: "-")
    return tag.utf8.allSatisfy { $0 == UInt8(ascii: "-") || PercentEncoding.unreserved.contains($0) } ? String(tag) : nil
  }

  /// The value of the field `Accept-Language` for the environment of this process, computed once; nil if the environment contains no
  /// language.
  static let ofProcess: String? = {
    var environment: [String: String] = [:]
    for name in ["LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"] {
      if let value = getenv(name) { environment[name] = String(cString: value) }
    }
    return value(for: environment)
  }()
}
