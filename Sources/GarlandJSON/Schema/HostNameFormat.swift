import GarlandText

/// Checks host names: ASCII names by the rules of [RFC 1123 §2.1](https://www.rfc-editor.org/rfc/rfc1123#section-2.1), and
/// international names by the rules of IDNA 2008 ([RFC 5890](https://www.rfc-editor.org/rfc/rfc5890) to [RFC
/// 5893](https://www.rfc-editor.org/rfc/rfc5893)).
enum HostNameFormat {
  /// The characters that separate labels. Ideographic full stops are among them ([RFC 3490
  /// §3.1](https://www.rfc-editor.org/rfc/rfc3490#section-3.1)).
  private static let separators: Set<Unicode.Scalar> = [".", "\u{3002}", "\u{FF0E}", "\u{FF61}"]

  /// Whether a text is a host name in ASCII. Its labels with `xn--` must encode valid international
  /// labels.
  static func isHostname(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 < 0x80 } && isInternational(text)
  }

  /// Whether a text is a host name. Each label may be ASCII, or international: as Unicode, or encoded with `xn--`.
  static func isInternational(_ text: String) -> Bool {
    let labels = text.unicodeScalars.split(omittingEmptySubsequences: false, whereSeparator: separators.contains)
    var length = labels.count - 1
    var decoded: [[Unicode.Scalar]] = []
    for label in labels {
      guard let (scalars, encodedLength) = checked(Array(label)), (1...63).contains(encodedLength) else { return false }
      length += encodedLength
      decoded.append(scalars)
    }
    // RFC 5893, section 2: one right-to-left label adds rules for all labels of the name.
    return length <= 253 && (!decoded.contains(where: TextDirection.isRightToLeft) || decoded.allSatisfy(TextDirection.isValidLabel))
  }

  /// Returns the decoded label and the length of its ASCII form; nil for an invalid label.
  private static func checked(_ label: [Unicode.Scalar]) -> (scalars: [Unicode.Scalar], encodedLength: Int)? {
    // The ASCII form is at least as long as the label.
    guard label.count <= 63 else { return nil }
    guard label.allSatisfy(\.isASCII) else {
      guard InternationalLabel.isValid(label), let encoded = Punycode.encode(label) else { return nil }
      return (label, encoded.utf8.count + 4)
    }
    let text = String(String.UnicodeScalarView(label)).lowercased()
    guard label.first != "-", label.last != "-", text.utf8.allSatisfy({ $0.isLetterOrDigit || $0 == UInt8(ascii: "-") })
    else { return nil }
    guard text.hasHyphensOfPrefix else { return (label, label.count) }
    // RFC 5890, section 2.3.1: among labels with hyphens in these places, only `xn--` has a
    // meaning.
    guard text.hasPrefix("xn--"), let decoded = Punycode.decode(text.dropFirst(4)), !decoded.allSatisfy(\.isASCII),
      InternationalLabel.isValid(decoded), let encoded = Punycode.encode(decoded), text.dropFirst(4) == encoded
    else { return nil }
    return (decoded, label.count)
  }
}

extension String {
  /// Whether the third and the fourth character are hyphens, as in `xn--`.
  fileprivate var hasHyphensOfPrefix: Bool { Array(utf8.prefix(4)).suffix(2).elementsEqual("--".utf8) && utf8.count >= 4 }
}
