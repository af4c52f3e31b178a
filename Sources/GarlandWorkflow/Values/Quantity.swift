/// Parses the number and the unit of durations and sizes, such as `1.5h` or `10KB`.
enum Quantity {
  /// A decimal number: the integer `digits`, divided by the power of ten `divisor`.
  typealias Amount = (digits: Int, divisor: Int)

  /// Splits a text such as `1.5h` into the number 1.5 and the unit `h`. Returns nil if the text does not begin with a digit, or if the
  /// number has more than 15 digits.
  static func split(_ text: String) -> (Amount, unit: String)? {
    var digits = 0
    var divisor = 1
    var count = 0
    var sawPoint = false
    let bytes = text.utf8
    var index = bytes.startIndex
    while index < bytes.endIndex {
      let byte = bytes[index]
      if byte == UInt8(ascii: "."), !sawPoint, count > 0 {
        sawPoint = true
      } else if byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") {
        guard count < 15 else { return nil }
        digits = digits * 10 + Int(byte - UInt8(ascii: "0"))
        if sawPoint { divisor *= 10 }
        count += 1
      } else {
        break
      }
      index = bytes.index(after: index)
    }
    guard count > 0, !(sawPoint && divisor == 1) else { return nil }
    return ((digits, divisor), String(text[index...]))
  }

  /// Returns the amount multiplied by a factor and rounded down; nil if the result is too large.
  static func scale(_ amount: Amount, by factor: Int) -> Int? {
    let (product, overflow) = amount.digits.multipliedReportingOverflow(by: factor)
    return overflow ? nil : product / amount.divisor
  }
}

/// A number of bytes that is written with a unit, such as `10KB` or `5MiB`.
public struct ByteSize: Sendable, Hashable, Comparable {
  /// The number of bytes.
  public let bytes: Int

  /// Reads a size from a text: a number, which may have a fraction, and one of the units `B KB MB GB TB KiB MiB GiB TiB`. K is 1000 and Ki
  /// is 1024. Returns nil for any other text, and for more than 2⁶³ − 1 bytes.
  public init?(_ text: String) {
    guard let (amount, unit) = Quantity.split(text), let factor = Self.units[unit] else { return nil }
    guard let bytes = Quantity.scale(amount, by: factor) else { return nil }
    self.bytes = bytes
  }

  private static let units: [String: Int] = [
    "B": 1, "KB": 1000, "MB": 1_000_000, "GB": 1_000_000_000, "TB": 1_000_000_000_000, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30,
    "TiB": 1 << 40, "kB": 1000,
  ]

  /// Whether the size `left` is smaller than the size `right`.
  public static func < (left: ByteSize, right: ByteSize) -> Bool { left.bytes < right.bytes }
}

extension Duration {
  /// Reads a duration in Garland's form, such as `250ms`, `1.5s`, `5m`, `1h` or `1d`. Returns nil for any other text, including a number
  /// without a unit.
  public init?(workflowText text: String) {
    guard let (amount, unit) = Quantity.split(text) else { return nil }
    let nanosecondsPerUnit: Int
    switch unit {
    case "us": nanosecondsPerUnit = 1000
    case "ms": nanosecondsPerUnit = 1_000_000
    case "s": nanosecondsPerUnit = 1_000_000_000
    case "m": nanosecondsPerUnit = 60_000_000_000
    case "h": nanosecondsPerUnit = 3_600_000_000_000
    case "d": nanosecondsPerUnit = 86_400_000_000_000
    default: return nil
    }
    guard let nanoseconds = Quantity.scale(amount, by: nanosecondsPerUnit) else { return nil }
    self = .nanoseconds(nanoseconds)
  }
}
