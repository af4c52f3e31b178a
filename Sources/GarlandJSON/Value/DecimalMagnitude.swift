/// A natural number of any size. It is stored as limbs of nine decimal digits, the least significant first,
/// without zero limbs at the top.
struct DecimalMagnitude: Comparable, Hashable {
  private static let base: UInt64 = 1_000_000_000
  private var limbs: [UInt32]

  private init(limbs: [UInt32]) {
    self.limbs = limbs
    normalize()
  }

  /// Creates a number from `digits`, the most significant first, followed by `zeros` zeros.
  init(_ digits: [UInt8], shifted zeros: Int) {
    limbs = []
    let all = digits + repeatElement(0, count: zeros)
    limbs.reserveCapacity(all.count / 9 + 1)
    var end = all.count
    while end > 0 {
      let start = max(0, end - 9)
      limbs.append(all[start..<end].reduce(0) { $0 * 10 + UInt32($1) })
      end = start
    }
    normalize()
  }

  init(_ word: UInt) {
    var rest = UInt64(word)
    limbs = []
    while rest > 0 {
      limbs.append(UInt32(rest % DecimalMagnitude.base))
      rest /= DecimalMagnitude.base
    }
  }

  private mutating func normalize() {
    while limbs.last == 0 { limbs.removeLast() }
  }

  var isZero: Bool { limbs.isEmpty }

  /// The number as a `UInt`; nil if it does not fit.
  var word: UInt? {
    guard limbs.count <= 3 else { return nil }
    var value: UInt = 0
    for limb in limbs.reversed() {
      let (product, isTooLarge) = value.multipliedReportingOverflow(by: UInt(DecimalMagnitude.base))
      let (sum, overflows) = product.addingReportingOverflow(UInt(limb))
      guard !isTooLarge, !overflows else { return nil }
      value = sum
    }
    return value
  }

  /// The digits, the most significant first. There may be leading zeros.
  var digits: [UInt8] {
    var reversed: [UInt8] = []
    reversed.reserveCapacity(limbs.count * 9)
    for var limb in limbs {
      for _ in 0..<9 {
        reversed.append(UInt8(limb % 10))
        limb /= 10
      }
    }
    return reversed.reversed()
  }

  static func < (lhs: DecimalMagnitude, rhs: DecimalMagnitude) -> Bool {
    guard lhs.limbs.count == rhs.limbs.count else { return lhs.limbs.count < rhs.limbs.count }
    for index in lhs.limbs.indices.reversed() where lhs.limbs[index] != rhs.limbs[index] {
      return lhs.limbs[index] < rhs.limbs[index]
    }
    return false
  }

  func adding(_ other: DecimalMagnitude) -> DecimalMagnitude {
    var sum: [UInt32] = []
    var carry: UInt64 = 0
    for index in 0..<max(limbs.count, other.limbs.count) {
      let total = carry + (index < limbs.count ? UInt64(limbs[index]) : 0) + (index < other.limbs.count ? UInt64(other.limbs[index]) : 0)
      sum.append(UInt32(total % DecimalMagnitude.base))
      carry = total / DecimalMagnitude.base
    }
    if carry > 0 { sum.append(UInt32(carry)) }
    return DecimalMagnitude(limbs: sum)
  }

  /// Returns this number minus `other`, which must not be larger than this number.
  func subtracting(_ other: DecimalMagnitude) -> DecimalMagnitude {
    var difference: [UInt32] = []
    var borrow: UInt64 = 0
    for index in limbs.indices {
      let taken = borrow + (index < other.limbs.count ? UInt64(other.limbs[index]) : 0)
      borrow = UInt64(limbs[index]) < taken ? 1 : 0
      difference.append(UInt32(UInt64(limbs[index]) + borrow * DecimalMagnitude.base - taken))
    }
    return DecimalMagnitude(limbs: difference)
  }

  func multiplied(by other: DecimalMagnitude) -> DecimalMagnitude {
    var product = [UInt32](repeating: 0, count: limbs.count + other.limbs.count)
    for (index, limb) in limbs.enumerated() {
      var carry: UInt64 = 0
      for (otherIndex, otherLimb) in other.limbs.enumerated() {
        let total = UInt64(product[index + otherIndex]) + UInt64(limb) * UInt64(otherLimb) + carry
        product[index + otherIndex] = UInt32(total % DecimalMagnitude.base)
        carry = total / DecimalMagnitude.base
      }
      product[index + other.limbs.count] = UInt32(carry)
    }
    return DecimalMagnitude(limbs: product)
  }

  /// Multiplies the number by ten and adds a digit.
  mutating func appendDigit(_ digit: UInt8) {
    var carry = UInt64(digit)
    for index in limbs.indices {
      let total = UInt64(limbs[index]) * 10 + carry
      limbs[index] = UInt32(total % DecimalMagnitude.base)
      carry = total / DecimalMagnitude.base
    }
    if carry > 0 { limbs.append(UInt32(carry)) }
  }

  /// Returns the remainder of a division by this number, which must not be zero. The dividend consists of the digits `dividend`, followed
  /// by `zeros` zeros.
  func remainder(of dividend: [UInt8], zeros: Int) -> DecimalMagnitude {
    let computation = dividend.count + zeros > 4096 ? Computation.current : nil
    if limbs.count <= 2 {
      // If the divisor is below 10¹⁸, ten times a remainder fits into a word.
      let divisor = limbs.reversed().reduce(UInt64(0)) { $0 * DecimalMagnitude.base + UInt64($1) }
      var small: UInt64 = 0
      for digit in dividend {
        if let computation, computation.isOver() { return DecimalMagnitude(limbs: []) }
        small = (small * 10 + UInt64(digit)) % divisor
      }
      for _ in 0..<zeros {
        if let computation, computation.isOver() { return DecimalMagnitude(limbs: []) }
        small = small * 10 % divisor
      }
      return DecimalMagnitude(limbs: [UInt32(small % DecimalMagnitude.base), UInt32(small / DecimalMagnitude.base)])
    }
    var remainder = DecimalMagnitude(limbs: [])
    for position in 0..<dividend.count + zeros {
      if let computation, computation.isOver(after: 16 * limbs.count) { return DecimalMagnitude(limbs: []) }
      remainder.appendDigit(position < dividend.count ? dividend[position] : 0)
      while !(remainder < self) { remainder = remainder.subtracting(self) }
    }
    return remainder
  }

  /// The number after all its factors 2 and 5 were removed.
  var withoutFactorsOfTwoAndFive: DecimalMagnitude {
    var rest = self
    for factor: UInt64 in [2, 5] {
      while let quotient = rest.dividedExactly(by: factor) {
        rest = quotient
        if rest.limbs.count > 512, let computation = Computation.current, computation.isOver(after: rest.limbs.count) { return rest }
      }
    }
    return rest
  }

  private func dividedExactly(by divisor: UInt64) -> DecimalMagnitude? {
    var quotient = limbs
    var remainder: UInt64 = 0
    for index in limbs.indices.reversed() {
      let total = remainder * DecimalMagnitude.base + UInt64(limbs[index])
      quotient[index] = UInt32(total / divisor)
      remainder = total % divisor
    }
    return remainder == 0 ? DecimalMagnitude(limbs: quotient) : nil
  }
}
