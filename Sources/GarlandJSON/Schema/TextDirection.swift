/// The Bidi rule for labels that are written from right to left ([RFC 5893
/// §2](https://www.rfc-editor.org/rfc/rfc5893#section-2)).
enum TextDirection {
  /// The classes of characters that the Bidi rule (RFC 5893, section 2) distinguishes. Classes that can't occur in a label of a host name
  /// are omitted.
  private enum Class {
    case left
    case right
    case arabicNumber
    case number
    case mark
    case neutral

    init(_ scalar: Unicode.Scalar) {
      switch scalar.properties.generalCategory {
      case .nonspacingMark, .enclosingMark: self = .mark
      default:
        switch scalar.value {
        case 0x660...0x669, 0x10D30...0x10D39, 0x10E60...0x10E7E: self = .arabicNumber
        case 0x30...0x39, 0x6F0...0x6F9: self = .number
        case 0x2D, 0xB7, 0x2B9...0x2BA, 0x2C2...0x2CF, 0x2EC, 0x374...0x375, 0x200C...0x200D, 0x30FB: self = .neutral
        case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF: self = .right
        default: self = .left
        }
      }
    }
  }

  /// Whether a label contains a right-to-left character.
  static func isRightToLeft(_ label: [Unicode.Scalar]) -> Bool {
    label.contains { scalar in
      switch Class(scalar) {
      case .right, .arabicNumber: true
      default: false
      }
    }
  }

  /// Whether a label is valid in a host name that contains right-to-left labels.
  static func isValidLabel(_ label: [Unicode.Scalar]) -> Bool {
    let classes = label.map { Class($0) }
    guard let last = classes.last(where: { $0 != .mark }) else { return false }
    switch classes.first {
    case .right:
      return !classes.contains(.left) && !(classes.contains(.number) && classes.contains(.arabicNumber)) && last != .neutral
    case .left: return !classes.contains { $0 == .right || $0 == .arabicNumber } && last != .neutral
    default: return false
    }
  }
}
