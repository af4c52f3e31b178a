import Foundation

/// An encoding of secrets that the reference promises to mask: a row of its table in `docs/language/secrets.md`.
public struct MaskedEncoding: Sendable, CustomStringConvertible {
  /// The first column.
  public let name: String
  /// A secret as it comes out.
  public let text: String
  /// The part of it that tells of the secret: none of it may be shown.
  public let telling: String
  private let needles: [String]

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
  public static let all: [MaskedEncoding] =
    encoders.map { encoder in
      MaskedEncoding(encoder.name, encoder.apply(secret), telling: encoder.telling?(secret))
    } + deep

  /// Each of them, of each of them.
  public static let pairs: [Stack] = encoders.flatMap { outer in encoders.map { Stack([outer, $0]) } }

  /// Some of them, of some of them, three and four deep.
  public static let stacks: [Stack] = {
    var random = SeededRandom(seed: 17)
    let stacks = (0..<600).map { index in (0..<3 + index % 2).map { _ in encoders[Int.random(in: 0..<encoders.count, using: &random)] } }
    return stacks.filter { $0.reduce(0) { $0 + $1.depth } <= 4 }.map { Stack($0) }
  }()

  /// Encodings of encodings.
  public struct Stack: Sendable, CustomStringConvertible {
    public let description: String
    /// A secret as it comes out.
    public let text: String
    /// How many bytes of the text may be shown: those at the ends of the secret that it shares with its neighbours.
    public let neighbours: Int

    /// - Parameter encoders: the outermost first.
    fileprivate init(_ encoders: [Encoder]) {
      description = encoders.map(\.name).joined(separator: ", of: ")
      text = encoders.reversed().reduce(secret) { $1.apply($0) }
      neighbours =
        ["\"  M \t", "\"  MM \t", "\"  MMM \t"].map { edge in encoders.reversed().reduce(edge) { $1.apply($0) }.utf8.count }.max() ?? 0
    }
  }

  fileprivate struct Encoder: Sendable {
    let name: String
    /// How many encodings it stands for.
    var depth: Int { name.hasSuffix("twice") || name.contains("within JSON") ? 2 : 1 }
    let telling: (@Sendable (String) -> String)?
    let apply: @Sendable (String) -> String

    init(_ name: String, telling: (@Sendable (String) -> String)? = nil, _ apply: @escaping @Sendable (String) -> String) {
      self.name = name
      self.telling = telling
      self.apply = apply
    }

    /// Base64 of a text with others beside it.
    static func inside(before: String) -> Encoder {
      let encode: @Sendable (String) -> String = { base64(Array((before + $0 + "tail").utf8)) }
      return Encoder(
        "within a longer text in base64, at any place",
        telling: { text in
          let start = (before.utf8.count * 4 + 2) / 3 + 1
          let end = ((before + text).utf8.count * 4) / 3 - 1
          return String(encode(text).dropFirst(start).prefix(end - start))
        }, encode)
    }
  }

  private static let encoders: [Encoder] = [
    Encoder("as it is") { $0 },
    Encoder("without the white space at its ends") { $0.trimmingCharacters(in: .whitespacesAndNewlines) },
    Encoder("percent-encoded, wholly or in part, in either case") { percent(Array($0.utf8)) },
    Encoder("percent-encoded, wholly or in part, in either case") { percent(Array($0.utf8)).lowercasingEscapes },
    Encoder("percent-encoded, wholly or in part, in either case") { percent(Array($0.utf8), keeping: "&/+$") },
    Encoder("percent-encoded, wholly or in part, in either case") { $0.utf8.map { "%" + hex($0) }.joined() },
    Encoder("percent-encoded for a form") { percent(Array($0.utf8)).replacing("%20", with: "+") },
    Encoder("percent-encoded twice") { percent(Array(percent(Array($0.utf8)).utf8)) },
    Encoder("in a JSON string, with any of its escapes") { jsonString($0, asciiOnly: true) },
    Encoder("in a JSON string, with any of its escapes") { jsonString($0, asciiOnly: false) },
    Encoder("in a JSON string, with any of its escapes") { $0.utf16.map { "\\u" + hex(UInt8($0 >> 8)) + hex(UInt8($0 & 255)) }.joined() },
    Encoder("in JSON within JSON") { jsonString(jsonString($0, asciiOnly: true), asciiOnly: true) },
    Encoder("in XML or HTML, by the names of characters") { named($0) },
    Encoder("in XML or HTML, by the names of characters") { named($0).replacing(" ", with: "&nbsp;") },
    Encoder("in XML or HTML, by decimal or hexadecimal numbers") { $0.unicodeScalars.map { "&#\($0.value);" }.joined() },
    Encoder("in XML or HTML, by decimal or hexadecimal numbers") {
      $0.unicodeScalars.map { "&#x\(String($0.value, radix: 16));" }.joined()
    },
    Encoder("in the shell's quotes") { "'" + $0.replacing("'", with: "'\\''") + "'" },
    Encoder("in hexadecimal digits, in either case") { $0.utf8.map { hex($0) }.joined() },
    Encoder("in hexadecimal digits, in either case") { $0.utf8.map { hex($0).uppercased() }.joined() },
    Encoder("in hexadecimal digits in lines, also indented ones") { lines($0.utf8.map { hex($0) }.joined(), 30, "\n") },
    Encoder("in base64 or base64url, padded or not") { base64(Array($0.utf8)) },
    Encoder("in base64 or base64url, padded or not") {
      base64(Array($0.utf8)).replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    },
    .inside(before: "u"), .inside(before: "us"), .inside(before: "use"),
    Encoder("in base64 in lines, also indented ones") { lines(base64(Array($0.utf8)), 20, "\n") },
    Encoder("in base64 in lines, also indented ones") { lines(base64(Array($0.utf8)), 16, "\r\n") },
    Encoder("in base64 in lines, also indented ones") { lines(base64(Array($0.utf8)), 12, "\n    ") },
  ]

  /// Rows of the table that are about two encodings.
  private static let deep: [MaskedEncoding] = {
    let bytes = Array(secret.utf8)
    let code = base64(bytes)
    let json = jsonString(secret, asciiOnly: true)
    let numbers = secret.unicodeScalars.map { "&#\($0.value);" }.joined()
    return [
      .init("in base64 of base64", base64(Array(code.utf8))),
      .init("in base64 of base64", base64(Array(lines(code, 16, "\n").utf8))),
      .init("in base64 of any other of these", base64(Array(json.utf8))),
      .init("in base64 of any other of these", base64(Array(numbers.utf8))),
      .init("in base64 of any other of these", base64(Array(percent(bytes).utf8))),
      .init("in any other of these encoded once more, up to four deep", jsonString(lines(code, 16, "\r\n"), asciiOnly: true)),
      .init("in any other of these encoded once more, up to four deep", percent(Array(named(secret).utf8))),
      .init("in any other of these encoded once more, up to four deep", base64(Array(base64(Array(code.utf8)).utf8))),
      .init("in any other of these encoded once more, up to four deep", code.utf8.map { hex($0) }.joined()),
    ]
  }()

  /// Which pieces of it are shown in an output: any of them tells of the secret.
  public func shown(in output: [UInt8]) -> [String] { needles.filter { Self.contains(output, $0) } }

  /// Which pieces of it are shown in an output.
  public func shown(in output: String) -> [String] { shown(in: Array(output.utf8)) }

  private static func contains(_ output: [UInt8], _ needle: String) -> Bool {
    let needle = Array(needle.utf8)
    return output.withUnsafeBytes { output in
      needle.withUnsafeBytes { needle in
        guard var place = output.baseAddress, let wanted = needle.baseAddress, let first = needle.first else { return false }
        let end = place + output.count
        while let found = memchr(place, Int32(first), end - place), end - UnsafeRawPointer(found) >= needle.count {
          if memcmp(found, wanted, needle.count) == 0 { return true }
          place = UnsafeRawPointer(found) + 1
        }
        return false
      }
    }
  }

  /// Pieces of what tells of the secret, also escaped as reports escape text.
  private static func needles(of telling: String) -> [String] {
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
    return Set(pieces.filter { Set($0.unicodeScalars).count > 4 && !$0.contains("&quot") }).sorted()
  }

  // MARK: Encoders

  private static func hex(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }

  private static func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

  private static func lines(_ text: String, _ length: Int, _ lineBreak: String) -> String {
    let letters = Array(text)
    return stride(from: 0, to: letters.count, by: length).map { String(letters[$0..<min($0 + length, letters.count)]) }
      .joined(separator: lineBreak)
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
