import GarlandJSON

/// Arithmetic on decimal numbers as JSON writes them: exact, without the rounding of binary floating point. `0.1 + 0.2` is `0.3`.
enum DecimalArithmetic {
  /// Results with more digits than this are refused.
  static let maximumDigits = 1000
  /// A quotient that does not end is rounded to this many digits, as IEEE 754's decimal128 does.
  static let quotientDigits = 34

  /// ±digits × 10^exponent; digits from 0 to 9, the most significant first, none for zero.
  struct Decimal {
    var isNegative: Bool
    var digits: [UInt8]
    var exponent: Int
  }

  static func negate(_ number: JSONNumber) -> JSONNumber {
    if let value = number.intValue, value != .min, value != 0 { return JSONNumber(-value) }
    var decimal = parse(number)
    decimal.isNegative.toggle()
    return text(decimal) ?? number
  }

  /// Nil when the result has too many digits.
  static func add(_ left: JSONNumber, _ right: JSONNumber) -> JSONNumber? {
    if let a = left.intValue, let b = right.intValue {
      let (sum, overflow) = a.addingReportingOverflow(b)
      if !overflow { return JSONNumber(sum) }
    }
    var (a, b) = (parse(left), parse(right))
    guard !a.digits.isEmpty else { return text(b) }
    guard !b.digits.isEmpty else { return text(a) }
    let exponent = min(a.exponent, b.exponent)
    guard a.digits.count + (a.exponent - exponent) <= maximumDigits, b.digits.count + (b.exponent - exponent) <= maximumDigits else {
      return nil
    }
    a.digits += [UInt8](repeating: 0, count: a.exponent - exponent)
    b.digits += [UInt8](repeating: 0, count: b.exponent - exponent)
    if a.isNegative == b.isNegative {
      return text(Decimal(isNegative: a.isNegative, digits: sum(a.digits, b.digits), exponent: exponent))
    }
    switch order(a.digits, b.digits) {
    case 0: return JSONNumber(0)
    case 1: return text(Decimal(isNegative: a.isNegative, digits: difference(a.digits, b.digits), exponent: exponent))
    default: return text(Decimal(isNegative: b.isNegative, digits: difference(b.digits, a.digits), exponent: exponent))
    }
  }

  /// Nil when the result has too many digits.
  static func multiply(_ left: JSONNumber, _ right: JSONNumber) -> JSONNumber? {
    if let a = left.intValue, let b = right.intValue {
      let (product, overflow) = a.multipliedReportingOverflow(by: b)
      if !overflow { return JSONNumber(product) }
    }
    let (a, b) = (parse(left), parse(right))
    guard a.digits.count + b.digits.count <= maximumDigits else { return nil }
    guard !a.digits.isEmpty, !b.digits.isEmpty else { return JSONNumber(0) }
    let (exponent, overflow) = a.exponent.addingReportingOverflow(b.exponent)
    guard !overflow else { return nil }
    var cells = [Int](repeating: 0, count: a.digits.count + b.digits.count)
    for i in a.digits.indices {
      for j in b.digits.indices { cells[i + j + 1] += Int(a.digits[i]) * Int(b.digits[j]) }
    }
    var carry = 0
    for index in cells.indices.reversed() {
      let total = cells[index] + carry
      cells[index] = total % 10
      carry = total / 10
    }
    return text(Decimal(isNegative: a.isNegative != b.isNegative, digits: cells.map { UInt8($0) }, exponent: exponent))
  }

  /// The divisor is not zero. Nil when the result can't be written.
  static func divide(_ left: JSONNumber, _ right: JSONNumber) -> JSONNumber? {
    if let a = left.intValue, let b = right.intValue, b != 0 {
      let (quotient, overflow) = a.dividedReportingOverflow(by: b)
      if !overflow, quotient * b == a { return JSONNumber(quotient) }
    }
    let (a, b) = (parse(left), parse(right))
    guard !b.digits.isEmpty else { return nil }
    guard !a.digits.isEmpty else { return JSONNumber(0) }
    guard a.digits.count <= maximumDigits, b.digits.count <= maximumDigits else { return nil }
    let (exponents, overflow) = a.exponent.subtractingReportingOverflow(b.exponent)
    guard !overflow else { return nil }
    // Long division until it ends, or until one digit more than is kept is there.
    var quotient: [UInt8] = []
    var remainder: [UInt8] = []
    var exponent = exponents
    var position = 0
    while true {
      if position < a.digits.count {
        remainder.append(a.digits[position])
      } else {
        if remainder.isEmpty { break }
        let significant = quotient.drop { $0 == 0 }.count
        if significant > quotientDigits { break }
        remainder.append(0)
        exponent -= 1
      }
      remainder = strip(remainder)
      var digit: UInt8 = 0
      while order(remainder, b.digits) >= 0 {
        remainder = strip(difference(remainder, b.digits))
        digit += 1
      }
      quotient.append(digit)
      position += 1
    }
    quotient = strip(quotient)
    if quotient.count > quotientDigits, !remainder.isEmpty { round(&quotient, &exponent) }
    return text(Decimal(isNegative: a.isNegative != b.isNegative, digits: quotient, exponent: exponent))
  }

  /// What is dropped goes on behind its last digit, so that it is never exactly a half.
  private static func round(_ digits: inout [UInt8], _ exponent: inout Int) {
    exponent += digits.count - quotientDigits
    let isUp = digits[quotientDigits] >= 5
    digits.removeSubrange(quotientDigits...)
    if isUp { digits = sum(digits, [1]) }
  }

  // MARK: Digits

  private static func strip(_ digits: [UInt8]) -> [UInt8] {
    guard digits.first == 0 else { return digits }
    return Array(digits.drop { $0 == 0 })
  }

  /// -1, 0 or 1.
  private static func order(_ left: [UInt8], _ right: [UInt8]) -> Int {
    let (a, b) = (strip(left), strip(right))
    if a.count != b.count { return a.count < b.count ? -1 : 1 }
    for index in a.indices where a[index] != b[index] { return a[index] < b[index] ? -1 : 1 }
    return 0
  }

  private static func sum(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    let count = max(left.count, right.count)
    result.reserveCapacity(count + 1)
    var carry: UInt8 = 0
    for offset in 0..<count {
      let total =
        carry + (offset < left.count ? left[left.count - 1 - offset] : 0) + (offset < right.count ? right[right.count - 1 - offset] : 0)
      result.append(total % 10)
      carry = total / 10
    }
    if carry > 0 { result.append(carry) }
    return result.reversed()
  }

  /// The left number is not smaller.
  private static func difference(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(left.count)
    var borrow = 0
    for offset in 0..<left.count {
      var total = Int(left[left.count - 1 - offset]) - borrow - (offset < right.count ? Int(right[right.count - 1 - offset]) : 0)
      borrow = total < 0 ? 1 : 0
      if total < 0 { total += 10 }
      result.append(UInt8(total))
    }
    return result.reversed()
  }

  // MARK: Text

  static func parse(_ number: JSONNumber) -> Decimal {
    var decimal = Decimal(isNegative: false, digits: [], exponent: 0)
    var fraction = 0
    var exponent = 0
    var isExponentNegative = false
    enum Part { case whole, fraction, exponent }
    var part = Part.whole
    for byte in number.text.utf8 {
      switch byte {
      case UInt8(ascii: "-"): if part == .exponent { isExponentNegative = true } else { decimal.isNegative = true }
      case UInt8(ascii: "."): part = .fraction
      case UInt8(ascii: "e"), UInt8(ascii: "E"): part = .exponent
      case UInt8(ascii: "+"): break
      default:
        let digit = byte &- UInt8(ascii: "0")
        if part == .exponent {
          exponent = min(exponent * 10 + Int(digit), 1 << 40)
        } else {
          if !(decimal.digits.isEmpty && digit == 0) { decimal.digits.append(digit) }
          if part == .fraction { fraction += 1 }
        }
      }
    }
    decimal.exponent = (isExponentNegative ? -exponent : exponent) - fraction
    return decimal
  }

  /// Without an exponent where that is short.
  static func text(_ decimal: Decimal) -> JSONNumber? {
    var digits = strip(decimal.digits)
    var exponent = decimal.exponent
    while let last = digits.last, last == 0 {
      digits.removeLast()
      exponent += 1
    }
    guard !digits.isEmpty else { return JSONNumber(0) }
    guard digits.count <= maximumDigits else { return nil }
    var bytes: [UInt8] = decimal.isNegative ? [UInt8(ascii: "-")] : []
    let ascii = digits.map { $0 + UInt8(ascii: "0") }
    let point = digits.count + exponent
    if exponent >= 0, point <= 40 {
      bytes += ascii + [UInt8](repeating: UInt8(ascii: "0"), count: exponent)
    } else if exponent < 0, point > 0 {
      bytes += ascii[..<point] + [UInt8(ascii: ".")] + ascii[point...]
    } else if exponent < 0, point > -20 {
      bytes += [UInt8(ascii: "0"), UInt8(ascii: ".")] + [UInt8](repeating: UInt8(ascii: "0"), count: -point) + ascii
    } else {
      bytes.append(ascii[0])
      if ascii.count > 1 { bytes += [UInt8(ascii: ".")] + ascii[1...] }
      bytes += Array("e\(point - 1)".utf8)
    }
    return JSONNumber(String(decoding: bytes, as: UTF8.self))
  }
}
