import FoundationEssentials
import GarlandJSON
import Glibc

/// Searches output for a secret, unchanged and in every encoding.
enum SecretSearch {
  /// Returns the forms in which a secret could appear in output.
  static func forms(of secret: String) -> [(name: String, bytes: [UInt8])] {
    let bytes = Array(secret.utf8)
    func percent(_ keep: String, upper: Bool) -> String {
      bytes.map { byte in
        let scalar = UnicodeScalar(byte)
        if byte < 128, keep.unicodeScalars.contains(scalar) || isAlphanumeric(byte) { return String(Character(scalar)) }
        return "%" + hexadecimal(byte, upper: upper)
      }.joined()
    }
    var found: [(String, [UInt8])] = [("raw", bytes)]
    for keep in ["", "-._~", "/?", "-._~/?", "-._~!$&'()*+,;=:@/"] {
      found.append(("percent", Array(percent(keep, upper: true).utf8)))
      found.append(("percent, lower", Array(percent(keep, upper: false).utf8)))
      found.append(("form", Array(percent(keep, upper: true).replacing("%20", with: "+").utf8)))
    }
    for offset in 0..<3 {
      // Base64 of a longer text contains that of the secret at one of three alignments. The digits at the ends depend on the surrounding
      // text.
      let padded = Data([UInt8](repeating: 0x78, count: offset) + bytes).base64EncodedString()
      let digits = padded.filter { $0 != "=" }
      let whole = String(digits.dropFirst(offset == 0 ? 0 : offset + 1).dropLast(1))
      found.append(("base64 at \(offset)", Array(whole.utf8)))
      found.append(("base64url at \(offset)", Array(whole.replacing("+", with: "-").replacing("/", with: "_").utf8)))
    }
    let json = JSONValue.string(secret).jsonText().dropFirst().dropLast()
    found.append(("JSON", Array(json.utf8)))
    found.append(("JSON, slash", Array(json.replacing("/", with: "\\/").utf8)))
    found.append(("JSON, ASCII", Array(json.replacing("ä", with: "\\u00e4").utf8)))
    found.append(("JSON in JSON", Array(JSONValue.string(String(json)).jsonText().dropFirst().dropLast().utf8)))
    found.append(("XML", Array(secret.replacing("&", with: "&amp;").replacing("\"", with: "&quot;").utf8)))
    found.append(("XML text", Array(secret.replacing("&", with: "&amp;").utf8)))
    found.append(("hex", Array(bytes.map { hexadecimal($0, upper: false) }.joined().utf8)))
    found.append(("upper case", Array(secret.uppercased().utf8)))
    return found
  }

  /// Whether the bytes contain a form of the secret.
  static func contains(_ bytes: [UInt8], _ needle: [UInt8]) -> Bool {
    guard !needle.isEmpty, bytes.count >= needle.count else { return false }
    return bytes.withUnsafeBytes { haystack in needle.withUnsafeBytes { memory(haystack, $0) } }
  }

  private static func memory(_ haystack: UnsafeRawBufferPointer, _ needle: UnsafeRawBufferPointer) -> Bool {
    guard var cursor = haystack.baseAddress, let wanted = needle.baseAddress, let first = needle.first else { return false }
    let last = cursor + (haystack.count - needle.count)
    while cursor <= last, let found = memchr(cursor, Int32(first), last - cursor + 1) {
      if memcmp(found, wanted, needle.count) == 0 { return true }
      cursor = UnsafeRawPointer(found) + 1
    }
    return false
  }

  private static func hexadecimal(_ byte: UInt8, upper: Bool) -> String {
    let hex = String(byte, radix: 16, uppercase: upper)
    return hex.count == 1 ? "0" + hex : hex
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
  }
}
