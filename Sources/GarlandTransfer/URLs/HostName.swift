import CPSL
import GarlandJSON
import GarlandText
import Glibc

/// Converts host names to ASCII.
enum HostName {
  /// Returns `host` in lower case and ASCII; nil if it cannot be a host name. International labels
  /// become `xn--…`.
  static func ascii(_ host: Substring) -> String? {
    var isPlain = true
    var hasCapital = false
    if host.isEmpty { return nil }
    for byte in host.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."): break
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): hasCapital = true
      case UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "&"), UInt8(ascii: "'"): break
      case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: ","), UInt8(ascii: ";"): break
      case UInt8(ascii: "="): break
      case UInt8(ascii: "%"), 0x80...: isPlain = false
      default: return nil
      }
    }
    if isPlain { return hasCapital ? host.lowercased() : String(host) }
    return international(host)
  }

  private static func international(_ host: Substring) -> String? {
    let decoded = PercentEncoding.text(decoding: host)
    guard !decoded.unicodeScalars.contains("\u{FFFD}"), let normalized = normalized(decoded) else { return nil }
    var labels: [String] = []
    // The ideographic full stops count as dots (RFC 3490, section 3.1).
    let separators: Set<Unicode.Scalar> = [".", "\u{3002}", "\u{FF0E}", "\u{FF61}"]
    for label in normalized.unicodeScalars.split(omittingEmptySubsequences: false, whereSeparator: separators.contains) {
      if label.allSatisfy(\.isASCII) {
        labels.append(String(Substring(label)))
      } else {
        guard let encoded = Punycode.encode(label) else { return nil }
        labels.append("xn--" + encoded)
      }
    }
    let joined = labels.joined(separator: ".")
    return joined.utf8.contains(UInt8(ascii: "%")) || joined.utf8.contains { $0 >= 0x80 } ? nil : ascii(joined[...])
  }

  /// Converts a host to lower case and the Unicode form NFKC; nil if that fails. Uses libpsl, a library that libcurl has loaded anyway.
  private static func normalized(_ host: String) -> String? {
    var lower: UnsafeMutablePointer<CChar>?
    guard psl_str_to_utf8lower(host, "utf-8", nil, &lower) == PSL_SUCCESS, let lower else { return nil }
    defer { psl_free_string(lower) }
    return String(cString: lower)
  }
}
