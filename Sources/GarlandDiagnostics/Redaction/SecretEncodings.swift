import GarlandText

/// Creates the forms in which a secret can appear in output.
///
/// Each form is a sequence of bytes to search for; duplicates are removed. Encoders differ in the
/// characters that they leave unchanged, so there are several percent, JSON, XML and shell forms.
enum SecretEncodings {
  private typealias ByteSet = PercentEncoding.ByteSet

  static func all(of secret: String) -> FormSet {
    let raw = Array(secret.utf8)
    var forms: FormSet = [raw]
    forms.insert(hex(raw, upper: false))
    forms.insert(hex(raw, upper: true))
    for form in base64(raw) {
      forms.insert(form)
      // `+`, `/` and `=` change when base64 is put into a URL or (`/`) into JSON.
      let specials = ByteSet(form.filter { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "=") })
      guard !specials.isEmpty else { continue }
      for kept in Set(["", "/", "/+", "="].map { specials.intersection(ByteSet($0)) }) {
        for upper in [true, false] { forms.insert(percentEncoded(form, upper) { specials.contains($0) && !kept.contains($0) }) }
      }
      if specials.contains(UInt8(ascii: "/")) { forms.insert(replace(form) { $0 == UInt8(ascii: "/") ? Array("\\/".utf8) : nil }) }
    }
    for upper in [true, false] { forms.insert(percentEncoded(raw, upper) { _ in true }) }
    // All other forms leave letters and digits unchanged, and most tokens contain no other characters.
    guard !raw.allSatisfy(\.isLetterOrDigit) else { return forms }
    forms.formUnion(percent(raw))
    let inDocuments = json(raw, secret).union(xml(raw))
    forms.formUnion(inDocuments)
    forms.formUnion(shell(raw))
    // The secret in a document, or in a pair of form-encoded credentials (RFC 6749 section 2.3.1),
    // that was encoded in base64 as a whole.
    for inner in inDocuments.union(formEncoded(raw)) where inner != raw { forms.formUnion(base64(inner)) }
    return forms
  }

  private static func replace(_ bytes: [UInt8], _ replacement: (UInt8) -> [UInt8]?) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    for byte in bytes {
      if let new = replacement(byte) { result.append(contentsOf: new) } else { result.append(byte) }
    }
    return result
  }

  private static func hex(_ bytes: [UInt8], upper: Bool) -> [UInt8] { Array(Hex.encode(bytes, uppercase: upper).utf8) }

  /// Returns the bytes with `%XX` in place of each byte for which `isEncoded` returns true. `sign` replaces the `%`; `upper` selects
  /// upper-case hexadecimal digits.
  @inline(__always) private static func percentEncoded(
    _ bytes: [UInt8], _ upper: Bool, sign: StaticString = "%", _ isEncoded: (UInt8) -> Bool
  ) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count * 3)
    for byte in bytes {
      guard isEncoded(byte) else {
        result.append(byte)
        continue
      }
      sign.withUTF8Buffer { result.append(contentsOf: $0) }
      result.append(Hex.digit(byte >> 4, uppercase: upper))
      result.append(Hex.digit(byte & 15, uppercase: upper))
    }
    return result
  }

  // MARK: Base64 (RFC 4648, sections 4 and 5)

  /// Returns the texts that a secret becomes in base64, alone or as a part of longer data.
  ///
  /// Base64 encodes three bytes together, so the letters depend on the number of bytes before the secret. There is one text each for 0, 1
  /// and 2 bytes (modulo 3). The first letter is omitted if it also contains bits of the byte before the secret; the last letter is omitted
  /// if it also contains bits of the byte after the secret. An omitted letter contains at most four bits of the secret.
  ///
  /// For a secret at the end of the data, there are additional texts that keep the last letter, with and without padding.
  static func base64(_ secret: [UInt8]) -> FormSet {
    var forms: FormSet = []
    for before in 0..<3 {
      let bytes = [UInt8](repeating: 0, count: before) + secret
      for text in [Base64.encode(bytes), Base64URL.encode(bytes, padded: true)] {
        let padded = Array(text.utf8.dropFirst(before == 0 ? 0 : before + 1))
        forms.insert(padded)
        let letters = Array(padded.prefix { $0 != UInt8(ascii: "=") })
        guard letters.count < padded.count else { continue }
        forms.insert(letters)
        forms.insert(Array(letters.dropLast()))
      }
    }
    return forms
  }

  // MARK: Percent-encoding

  /// The characters that an encoder does not escape, in addition to letters and digits; one set for each encoder.
  private static let percentKept: [ByteSet] = [
    "-._~",  // RFC 3986: unreserved
    "-._*",  // HTML forms
    "-._~!'()*",  // JavaScript's encodeURIComponent
    "-._~/?",  // Alamofire's query
    "-._~/",  // Python's quote
    "-._",
    "-._~!$&'()*+,;=:@",  // a path segment
    "-._~!$&'()*+,;=:@/",  // a path
    "-._~!$&'()*+,;=:@/?",  // a query
    "-._~!$'()*,;:@/?",  // a query's component
    "-._~!*'();:@&=+$,/?#",  // JavaScript's encodeURI
    "-._~!$&'()*+,;=:@/?%",  // a URL that is normalised: what is encoded already stays
    "",
  ].map { ByteSet($0) }

  /// Encodes a secret as the value of a form field, and returns all variants: by the rules of HTML, of JavaScript and of RFC 3986, each
  /// with `+` and with `%20` for a space.
  private static func formEncoded(_ secret: [UInt8]) -> FormSet {
    percentKept.prefix(3).reduce(into: [] as FormSet) { forms, kept in
      for space in [Array("+".utf8), Array("%20".utf8)] {
        let encoded = percentEncoded(secret, true) { !$0.isLetterOrDigit && !kept.contains($0) && $0 != UInt8(ascii: " ") }
        forms.insert(replace(encoded) { $0 == UInt8(ascii: " ") ? space : nil })
      }
    }
  }

  static func percent(_ secret: [UInt8]) -> FormSet {
    var forms: FormSet = []
    let specials = ByteSet(secret.filter { !$0.isLetterOrDigit })
    let keptHere = Set(percentKept.map { specials.intersection($0) })
    let hasSpace = specials.contains(UInt8(ascii: " "))
    let hasUnicode = secret.contains { $0 >= 0x80 }
    for upper in [true, false] {
      for kept in keptHere {
        for plusForSpace in hasSpace ? [false, true] : [false] {
          for keepsUnicode in hasUnicode ? [false, true] : [false] {
            let encoded = percentEncoded(secret, upper) { byte in
              !byte.isLetterOrDigit && !kept.contains(byte) && !(keepsUnicode && byte >= 0x80)
                && !(plusForSpace && byte == UInt8(ascii: " "))
            }
            forms.insert(plusForSpace ? replace(encoded) { $0 == UInt8(ascii: " ") ? [UInt8(ascii: "+")] : nil } : encoded)
          }
        }
        // A URL in the query of a URL is encoded twice.
        forms.insert(percentEncoded(secret, upper, sign: "%25") { !$0.isLetterOrDigit && !kept.contains($0) })
      }
    }
    return forms
  }

  // MARK: JSON (RFC 8259, section 7)

  private enum Unicode16 { case raw, lower, upper }

  static func json(_ raw: [UInt8], _ secret: String) -> FormSet {
    var forms: FormSet = []
    // The characters that some printers escape without need: Go `<>&`, PHP and older printers `/`,
    // Rails `'`.
    let isASCII = raw.allSatisfy { $0 < 0x80 }
    let hasControls = raw.contains { $0 < 0x20 }
    let extras = ["", "/", "<>&", "<>&'", "<>&'\"", "<>&'\"/", "<>&'\"+", "\u{7F}"].map { $0.filter { raw.contains($0.asciiValue ?? 0) } }
    for extra in Set(extras) {
      for unicode in isASCII && !hasControls && extra.isEmpty ? [Unicode16.raw] : [.raw, .lower, .upper] {
        for shortControls in hasControls ? [true, false] : [true] {
          let form = jsonForm(secret, extra: extra, unicode: unicode, shortControls: shortControls)
          forms.insert(form)
          // JSON as a string inside JSON.
          forms.insert(jsonForm(String(decoding: form, as: UTF8.self), extra: "", unicode: .raw, shortControls: true))
        }
      }
    }
    return forms
  }

  private static func jsonForm(_ secret: String, extra: String, unicode: Unicode16, shortControls: Bool) -> [UInt8] {
    var result: [UInt8] = []
    func escape(_ unit: UInt16) {
      let upper = unicode == .upper
      result += Array("\\u".utf8) + hex([UInt8(unit >> 8), UInt8(unit & 0xFF)], upper: upper)
    }
    for scalar in secret.unicodeScalars {
      switch scalar {
      case "\"" where !extra.contains("\""): result += Array("\\\"".utf8)
      case "\\": result += Array("\\\\".utf8)
      case "/" where extra.contains("/"): result += Array("\\/".utf8)
      case "\n" where shortControls: result += Array("\\n".utf8)
      case "\r" where shortControls: result += Array("\\r".utf8)
      case "\t" where shortControls: result += Array("\\t".utf8)
      case "\u{8}" where shortControls: result += Array("\\b".utf8)
      case "\u{C}" where shortControls: result += Array("\\f".utf8)
      default:
        let needsEscape = scalar.value < 0x20 || extra.unicodeScalars.contains(scalar) || scalar.value >= 0x80 && unicode != .raw
        if needsEscape {
          for unit in String(Character(scalar)).utf16 { escape(unit) }
        } else {
          result += Array(String(Character(scalar)).utf8)
        }
      }
    }
    return result
  }

  // MARK: XML and HTML

  private static let xmlSpecials = ByteSet("&<>\"'\t\n\r")

  static func xml(_ raw: [UInt8]) -> FormSet {
    guard raw.contains(where: xmlSpecials.contains) else { return [raw] }
    var forms: FormSet = []
    for quote in ["\"", "&quot;", "&#34;", "&#x22;"] {
      for apostrophe in ["'", "&apos;", "&#39;", "&#x27;", "&#039;"] {
        for greater in [">", "&gt;"] {
          for controls in [false, true] {
            forms.insert(
              replace(raw) { byte in
                switch byte {
                case UInt8(ascii: "&"): Array("&amp;".utf8)
                case UInt8(ascii: "<"): Array("&lt;".utf8)
                case UInt8(ascii: ">"): Array(greater.utf8)
                case UInt8(ascii: "\""): Array(quote.utf8)
                case UInt8(ascii: "'"): Array(apostrophe.utf8)
                case 0x09, 0x0A, 0x0D: controls ? Array("&#\(byte);".utf8) : nil
                default: nil
                }
              })
          }
        }
      }
    }
    return forms
  }

  // MARK: Shell

  /// The characters, besides letters and digits, that are unchanged by every shell and every kind of quoting.
  private static let shellPlain = ByteSet("-_./")

  static func shell(_ raw: [UInt8]) -> FormSet {
    guard !raw.allSatisfy({ $0.isLetterOrDigit || shellPlain.contains($0) }) else { return [raw] }
    var forms: FormSet = []
    for apostrophe in ["'\\''", "'\"'\"'", "\\'"] {
      forms.insert(replace(raw) { $0 == UInt8(ascii: "'") ? Array(apostrophe.utf8) : nil })
    }
    // In double quotes.
    for special in ["\\\"$`", "\\\"$`!"] {
      let special = Array(special.utf8)
      forms.insert(replace(raw) { special.contains($0) ? [UInt8(ascii: "\\"), $0] : nil })
    }
    // Each special character with its own backslash, as `printf %q` writes it.
    for special in [" \\\"'`$&|;<>()[]{}*?!#~^,", " \\\"'`$&|;<>()[]{}*?!#~^,=%+@:"] {
      let special = Array(special.utf8)
      forms.insert(replace(raw) { special.contains($0) ? [UInt8(ascii: "\\"), $0] : nil })
    }
    // $'…': bytes other than plain letters are raw, octal or hexadecimal.
    enum Other { case raw, octal, hex }
    for other in [Other.raw, .octal, .hex] {
      for bang in [false, true] {
        forms.insert(
          replace(raw) { byte in
            switch byte {
            case UInt8(ascii: "\\"), UInt8(ascii: "'"): return [UInt8(ascii: "\\"), byte]
            case UInt8(ascii: "!") where bang: return Array("\\041".utf8)
            case UInt8(ascii: "\n"): return Array("\\n".utf8)
            case UInt8(ascii: "\r"): return Array("\\r".utf8)
            case UInt8(ascii: "\t"): return Array("\\t".utf8)
            case 0x20..<0x7F: return nil
            default:
              switch other {
              case .raw: return nil
              case .octal:
                return [
                  UInt8(ascii: "\\"), UInt8(ascii: "0") + byte >> 6, UInt8(ascii: "0") + byte >> 3 & 7, UInt8(ascii: "0") + byte & 7,
                ]
              case .hex: return Array("\\x".utf8) + hex([byte], upper: false)
              }
            }
          })
      }
    }
    return forms
  }
}
