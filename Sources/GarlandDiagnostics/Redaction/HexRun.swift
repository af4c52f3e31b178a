import GarlandText
import Glibc

/// A run (an unbroken sequence) of hexadecimal digits in a text (RFC 4648, section 8), in upper, lower or mixed case.
struct HexRun {
  /// The range of the digits in the text.
  let range: Range<Int>
  /// Whether the text was truncated right after these digits, so that `…` follows them.
  let isCut: Bool

  /// The minimum number of digits in a sequence that ends at a `…`, which marks a truncated text. Shorter sequences are skipped.
  private static let leftOver = 12

  /// Calls `body` with each sequence of hexadecimal digits in a text.
  ///
  /// In a text without digits, the search reads only one of every `shortest` bytes.
  ///
  /// - Parameter shortest: The minimum number of digits of a sequence. A sequence before a `…`, which marks a truncated text, may have
  ///   fewer.
  static func forEach(in source: UnsafeBufferPointer<UInt8>, shortest: Int, _ body: (HexRun) -> Void) {
    guard let base = source.baseAddress else { return }
    let isCut = shortest > leftOver && memchr(base, Int32(PatternIndex.ellipsis[0]), source.count) != nil
    let least = isCut ? leftOver : shortest
    var at = 0
    values.withUnsafeBufferPointer { values in
      while at + least <= source.count {
        var last = at + least - 1
        while last >= at, values[Int(source[last])] < 16 { last -= 1 }
        guard last < at else {
          at = last + 1
          continue
        }
        var end = at + least
        while end < source.count, values[Int(source[end])] < 16 { end += 1 }
        let run = HexRun(range: at..<end, isCut: PatternIndex.isEllipsis(source, end))
        if run.range.count >= shortest || run.isCut { body(run) }
        at = end
      }
    }
  }

  /// Appends the bytes that the digits encode.
  ///
  /// - Parameters:
  ///   - offset: The index of the first digit to decode, 0 or 1.
  ///   - source: The text that contains the run.
  func decode(from offset: Int, of source: UnsafeBufferPointer<UInt8>, into bytes: inout [UInt8]) {
    Self.values.withUnsafeBufferPointer { values in
      for at in stride(from: range.lowerBound + offset, to: range.upperBound - 1, by: 2) {
        bytes.append(values[Int(source[at])] << 4 | values[Int(source[at + 1])])
      }
    }
  }

  /// For each byte, its value as a hexadecimal digit; 16 for a byte that is not a digit.
  private static let values = (UInt8.min ... .max).map { Hex.value($0) ?? 16 }
}
