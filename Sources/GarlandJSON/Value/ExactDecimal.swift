/// A decimal number as digits and an exponent: the value is ±digits × 10^exponent. Zero has no digits; otherwise neither the first nor
/// the
/// last digit is zero, so that equal values have equal members.
struct ExactDecimal: Hashable {
  /// Exponents are kept within ±this, so that no text can overflow them.
  static let exponentLimit = 1 << 60

  let isNegative: Bool
  /// Values from 0 to 9, the most significant first.
  let digits: [UInt8]
  let exponent: Int

  init(isNegative: Bool, digits: some Collection<UInt8>, exponent: Int) {
    var significant = digits.drop { $0 == 0 }[...]
    var exponent = exponent
    var trailing = 0
    // A collection that is only bidirectional by chance is not worth a second initialiser: count what ends in zeros.
    for digit in significant { trailing = digit == 0 ? trailing + 1 : 0 }
    significant = significant.dropLast(trailing)
    exponent += trailing
    self.digits = Array(significant)
    self.isNegative = isNegative && !significant.isEmpty
    self.exponent = significant.isEmpty ? 0 : Swift.min(Swift.max(exponent, -ExactDecimal.exponentLimit), ExactDecimal.exponentLimit)
  }

  init(_ number: JSONNumber) {
    switch number.storage {
    case .integer(let value): self.init(value)
    case .text(let text): self.init(numberText: text.utf8)
    }
  }

  init(_ value: Int) {
    var digits: [UInt8] = []
    var magnitude = value.magnitude
    while magnitude > 0 {
      digits.append(UInt8(truncatingIfNeeded: magnitude % 10))
      magnitude /= 10
    }
    digits.reverse()
    self.init(isNegative: value < 0, digits: digits, exponent: 0)
  }

  /// From a text that is a number in JSON's grammar.
  private init(numberText bytes: String.UTF8View) {
    var isNegative = false
    var digits: [UInt8] = []
    digits.reserveCapacity(bytes.count)
    var fractionLength = 0
    var inFraction = false
    var exponent = 0
    var exponentIsNegative = false
    var inExponent = false
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "-"):
        if inExponent { exponentIsNegative = true } else { isNegative = true }
      case UInt8(ascii: "."): inFraction = true
      case UInt8(ascii: "e"), UInt8(ascii: "E"): inExponent = true
      case UInt8(ascii: "+"): break
      default:
        let digit = byte &- UInt8(ascii: "0")
        if inExponent {
          exponent = Swift.min(exponent * 10 + Int(digit), ExactDecimal.exponentLimit / 16)
        } else {
          digits.append(digit)
          if inFraction { fractionLength += 1 }
        }
      }
    }
    self.init(isNegative: isNegative, digits: digits, exponent: (exponentIsNegative ? -exponent : exponent) - fractionLength)
  }

  var isZero: Bool { digits.isEmpty }

  /// The position of the first digit: the value is ±0.digits × 10^leadingExponent.
  var leadingExponent: Int { exponent + digits.count }

  var intValue: Int? {
    guard exponent >= 0, leadingExponent <= 19 else { return nil }
    var magnitude: UInt = 0
    for digit in digits {
      let (product, overflow) = magnitude.multipliedReportingOverflow(by: 10)
      let (sum, carry) = product.addingReportingOverflow(UInt(digit))
      guard !overflow, !carry else { return nil }
      magnitude = sum
    }
    for _ in 0..<exponent {
      let (product, overflow) = magnitude.multipliedReportingOverflow(by: 10)
      guard !overflow else { return nil }
      magnitude = product
    }
    if isNegative { return magnitude <= Int.min.magnitude ? Int(truncatingIfNeeded: 0 &- magnitude) : nil }
    return Int(exactly: magnitude)
  }

  /// Digits in the form that people write: plain where that is short, otherwise with an exponent.
  var text: String {
    guard !isZero else { return "0" }
    var bytes: [UInt8] = isNegative ? [UInt8(ascii: "-")] : []
    let ascii = digits.map { $0 + UInt8(ascii: "0") }
    let zero = UInt8(ascii: "0")
    let point = UInt8(ascii: ".")
    if exponent >= 0, leadingExponent <= 40 {
      bytes += ascii
      bytes += repeatElement(zero, count: exponent)
    } else if exponent < 0, leadingExponent > 0 {
      bytes += ascii[..<leadingExponent] + [point] + ascii[leadingExponent...]
    } else if exponent < 0, leadingExponent > -20 {
      bytes += [zero, point] + repeatElement(zero, count: -leadingExponent) + ascii
    } else {
      bytes += ascii[..<1]
      if ascii.count > 1 { bytes += [point] + ascii[1...] }
      bytes += Array("e\(leadingExponent - 1)".utf8)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension ExactDecimal: Comparable {
  static func < (lhs: ExactDecimal, rhs: ExactDecimal) -> Bool {
    guard lhs.isNegative == rhs.isNegative else { return lhs.isNegative }
    return lhs.isNegative ? lhs.magnitudeExceeds(rhs) : rhs.magnitudeExceeds(lhs)
  }

  private func magnitudeExceeds(_ other: ExactDecimal) -> Bool {
    guard !isZero else { return false }
    guard !other.isZero else { return true }
    guard leadingExponent == other.leadingExponent else { return leadingExponent > other.leadingExponent }
    return other.digits.lexicographicallyPrecedes(digits)
  }
}
