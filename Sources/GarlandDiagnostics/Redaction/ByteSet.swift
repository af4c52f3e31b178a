/// A set of byte values.
struct ByteSet: Hashable {
  private var low: UInt64 = 0
  private var middle: UInt64 = 0
  private var high: UInt64 = 0
  private var top: UInt64 = 0

  init(_ bytes: some Sequence<UInt8>) {
    for byte in bytes {
      let bit: UInt64 = 1 << UInt64(byte & 63)
      switch byte >> 6 {
      case 0: low |= bit
      case 1: middle |= bit
      case 2: high |= bit
      default: top |= bit
      }
    }
  }

  var isEmpty: Bool { low | middle | high | top == 0 }

  func contains(_ byte: UInt8) -> Bool {
    let word =
      switch byte >> 6 {
      case 0: low
      case 1: middle
      case 2: high
      default: top
      }
    return word >> UInt64(byte & 63) & 1 == 1
  }

  func intersection(_ other: ByteSet) -> ByteSet {
    var result = self
    result.low &= other.low
    result.middle &= other.middle
    result.high &= other.high
    result.top &= other.top
    return result
  }
}
