import Foundation

/// An index of thousands of texts, for a search that reads an output only once.
private struct NeedleIndex {
  /// The texts by the number that their first eight bytes make. All texts are longer.
  private var texts: [UInt64: [String]] = [:]
  /// Whether a text may begin with a number, by a hash of the number.
  private var mayStart = [Bool](repeating: false, count: 1 << 20)

  init(_ needles: Set<String>) {
    for needle in needles {
      let start = needle.utf8.prefix(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
      texts[start, default: []].append(needle)
      mayStart[Self.hash(start)] = true
    }
  }

  private static func hash(_ start: UInt64) -> Int { Int((start &* 0x9E37_79B9_7F4A_7C15) >> 44) }

  func found(in output: [UInt8]) -> [String] {
    var found: Set<String> = []
    var start: UInt64 = 0
    var index = 0
    while index < output.count {
      start = start << 8 | UInt64(output[index])
      if mayStart[Self.hash(start)], let texts = texts[start], index >= 7 {
        found.formUnion(texts.filter { output[(index - 7)...].starts(with: $0.utf8) })
      }
      index += 1
    }
    return found.sorted()
  }
}

/// An encoding of secrets that the reference promises to mask: a row of its table in `docs/language/secrets.md`.
public struct MaskedEncoding: Sendable, CustomStringConvertible {
  /// The first column.
  public let name: String
  /// A secret as it comes out.
  public let text: String
  /// The part of it that reveals the secret: it must never be shown.
  public let telling: String
  private let needles: Set<String>

  public var description: String { name }

  private init(_ name: String, _ text: String, telling: String? = nil) {
    self.name = name
    self.text = text
    self.telling = (telling ?? text).trimmingCharacters(in: .whitespacesAndNewlines)
    needles = Self.needles(of: self.telling)
  }

  /// A secret with everything in it that some encoding changes, and white space at its ends.
  public static let secret = "  p\u{E4}&s \"w<\u{F6}>rd'/\\+7%~qX9k$`en d \t"

  /// All of them, of ``secret``. Several may have the same name.
  public static let all: [MaskedEncoding] = {
    let secret = MaskedEncoding.secret
    let bytes = Array(secret.utf8)
    let form = percent(bytes).replacing("%20", with: "+")
    let json = jsonString(secret, asciiOnly: true)
    let numbers = secret.unicodeScalars.map { "&#\($0.value);" }.joined()
    let code = base64(bytes)
    return [
      .init("as it is", secret),
      .init("without the white space at its ends", secret.trimmingCharacters(in: .whitespacesAndNewlines)),
      .init("percent-encoded, wholly or in part, in either case", percent(bytes)),
      .init("percent-encoded, wholly or in part, in either case", percent(bytes).lowercasingEscapes),
      .init("percent-encoded, wholly or in part, in either case", percent(bytes, keeping: "&/+$")),
      .init("percent-encoded, wholly or in part, in either case", bytes.map { "%" + hex($0) }.joined()),
      .init("percent-encoded for a form", form),
      .init("percent-encoded twice", percent(Array(percent(bytes).utf8))),
      .init("in a JSON string, with any of its escapes", json),
      .init("in a JSON string, with any of its escapes", jsonString(secret, asciiOnly: false)),
      .init("in a JSON string, with any of its escapes", secret.utf16.map { "\\u" + hex(UInt8($0 >> 8)) + hex(UInt8($0 & 255)) }.joined()),
      .init("in JSON within JSON", jsonString(json, asciiOnly: true)),
      .init("in XML or HTML, by the names of characters", named(secret)),
      .init("in XML or HTML, by the names of characters", named(secret).replacing(" ", with: "&nbsp;")),
      .init("in XML or HTML, by decimal or hexadecimal numbers", numbers),
      .init(
        "in XML or HTML, by decimal or hexadecimal numbers", secret.unicodeScalars.map { "&#x\(String($0.value, radix: 16));" }.joined()),
      .init("in the quotes of the shell or of YAML", "'" + secret.replacing("'", with: "'\\''") + "'"),
      .init("in hexadecimal digits, in either case", bytes.map { hex($0) }.joined()),
      .init("in hexadecimal digits, in either case", bytes.map { hex($0).uppercased() }.joined()),
      .init("in base64 or base64url, padded or not", code),
      .init("in base64 or base64url, padded or not", code.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")),
      inside("within a longer text in base64, at any place", before: "u", secret),
      inside("within a longer text in base64, at any place", before: "us", secret),
      inside("within a longer text in base64, at any place", before: "use", secret),
      .init("in base64 in lines, also indented ones", lines(code, 20, "\n")),
      .init("in base64 in lines, also indented ones", lines(code, 16, "\r\n")),
      .init("in base64 in lines, also indented ones", lines(code, 12, "\n    ")),
      .init("in base64 of base64", base64(Array(code.utf8))),
      .init("in base64 of base64", base64(Array(lines(code, 16, "\n").utf8))),
      .init("in base64 of any other of these", base64(Array(json.utf8))),
      .init("in base64 of any other of these", base64(Array(numbers.utf8))),
      .init("in base64 of any other of these", base64(Array(percent(bytes).utf8))),
      .init("in any other of these encoded once more, up to four deep", jsonString(lines(code, 16, "\r\n"), asciiOnly: true)),
      .init("in any other of these encoded once more, up to four deep", percent(Array(named(secret).utf8))),
      .init("in any other of these encoded once more, up to four deep", base64(Array(base64(Array(code.utf8)).utf8))),
      .init("in hexadecimal digits of any other of these", hexText(code)),
      .init("in hexadecimal digits of any other of these", hexText(json).uppercased()),
      .init("in hexadecimal digits of any other of these", hexText(percent(bytes))),
      .init("in base64 of any other of these", base64(Array(hexText(named(secret)).utf8))),
      .init("in any other of these encoded once more, up to four deep", hexText(hexText(numbers).capitalized)),
      .init("in the quotes of the shell or of YAML", "'" + secret.replacing("'", with: "''") + "'"),
      .init("percent-encoded in ISO 8859-1", percentLatin(secret)),
      .init("by the numbers of characters, as Python, Rust and YAML write them", numbered(secret) { "\\x" + hex(UInt8($0)) }),
      .init("by the numbers of characters, as Python, Rust and YAML write them", numbered(secret) { "\\U000000" + hex(UInt8($0)) }),
      .init("by the numbers of characters, as Python, Rust and YAML write them", numbered(secret) { "\\u{" + hex(UInt8($0)) + "}" }),
      .init("in base64 of any other of these", base64(Array(secret.replacing("'", with: "''").utf8))),
      .init("in base64 of any other of these", base64(Array(percent(bytes, keeping: "&/+$ \"'<>\\`%").utf8))),
    ]
  }()

  /// Returns the pieces of it that an output shows: any of them reveals the secret.
  public func shown(in output: [UInt8]) -> [String] { Self.anyShown(in: output).filter(needles.contains) }

  /// Which pieces of it are shown in an output.
  public func shown(in output: String) -> [String] { shown(in: Array(output.utf8)) }

  /// Returns the pieces of any encoding that an output shows.
  public static func anyShown(in output: [UInt8]) -> [String] { index.found(in: output) }

  private static let index = NeedleIndex(all.reduce(into: []) { $0.formUnion($1.needles) })

  /// Returns the pieces of a revealing part, also escaped as reports escape text.
  private static func needles(of telling: String) -> Set<String> {
    let length = 10
    let forms = [telling, jsonString(telling, asciiOnly: false), xml(telling)]
    let pieces = forms.flatMap { form -> [String] in
      let scalars = Array(form.unicodeScalars)
      guard scalars.count >= length else { return [form] }
      return (0...scalars.count - length).map { start in
        scalars[start..<start + length].reduce(into: "") { $0.unicodeScalars.append($1) }
      }
    }
    // Of escapes alone anything may be the beginning.
    return Set(pieces.filter { Set($0.unicodeScalars).count > 4 && !$0.contains("&quot") })
  }

  private static func inside(_ name: String, before: String, _ secret: String) -> MaskedEncoding {
    let text = base64(Array((before + secret + "tail").utf8))
    let start = (before.utf8.count * 4 + 2) / 3 + 1
    let end = ((before + secret).utf8.count * 4) / 3 - 1
    return MaskedEncoding(name, text, telling: String(text.dropFirst(start).prefix(end - start)))
  }

  // MARK: Encoders

  private static func hexText(_ text: String) -> String { text.utf8.map { hex($0) }.joined() }

  private static func hex(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }

  private static func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

  private static func lines(_ text: String, _ length: Int, _ lineBreak: String) -> String {
    let letters = Array(text)
    return stride(from: 0, to: letters.count, by: length).map { String(letters[$0..<min($0 + length, letters.count)]) }
      .joined(separator: lineBreak)
  }

  /// Percent-encodes the characters of ISO 8859-1 by their numbers.
  private static func percentLatin(_ text: String) -> String {
    text.unicodeScalars.map { percent([UInt8(truncatingIfNeeded: $0.value)]) }.joined()
  }

  /// Escapes the backslash, and the characters beyond ASCII by their numbers.
  private static func numbered(_ text: String, _ escape: (UInt32) -> String) -> String {
    text.unicodeScalars.map { $0.value >= 0x80 ? escape($0.value) : $0 == "\\" ? "\\\\" : String($0) }.joined()
  }

  private static func percent(_ bytes: [UInt8], keeping kept: String = "") -> String {
    bytes.map { byte in
      let scalar = Unicode.Scalar(byte)
      let isPlain =
        byte < 0x80 && (Character(scalar).isLetter || Character(scalar).isNumber || ("-._~" + kept).unicodeScalars.contains(scalar))
      return isPlain ? String(scalar) : "%" + hex(byte).uppercased()
    }.joined()
  }

  private static func jsonString(_ text: String, asciiOnly: Bool) -> String {
    text.unicodeScalars.map { scalar in
      switch scalar {
      case "\"", "\\": "\\" + String(scalar)
      case "\n": "\\n"
      case "\r": "\\r"
      case "\t": "\\t"
      case _ where asciiOnly && !scalar.isASCII: "\\u00" + hex(UInt8(truncatingIfNeeded: scalar.value))
      default: String(scalar)
      }
    }.joined()
  }

  private static func xml(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }

  private static func named(_ text: String) -> String {
    let names: [Unicode.Scalar: String] = [
      "&": "amp", "<": "lt", ">": "gt", "\"": "quot", "'": "apos", "/": "sol", "\\": "bsol", "+": "plus", "%": "percnt", "$": "dollar",
      "`": "grave", "\u{E4}": "auml", "\u{F6}": "ouml",
    ]
    return text.unicodeScalars.map { scalar in names[scalar].map { "&\($0);" } ?? String(scalar) }.joined()
  }
}

extension String {
  /// With `%c3` for `%C3`.
  fileprivate var lowercasingEscapes: String { replacing(/%[0-9A-F]{2}/) { $0.output.lowercased() } }
}
