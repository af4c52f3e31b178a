/// Inputs of several parts.
enum InputSplit {
  /// Returns the text before the first line feed and the bytes after it.
  static func halves(_ input: [UInt8]) -> (first: String, second: [UInt8]) {
    guard let end = input.firstIndex(of: 0x0A) else { return (String(decoding: input, as: UTF8.self), []) }
    return (String(decoding: input[..<end], as: UTF8.self), Array(input[(end + 1)...]))
  }

  /// A number that depends on all bytes (FNV-1a), to draw choices from that the same input always gets.
  static func hash(_ input: [UInt8]) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in input {
      hash ^= UInt64(byte)
      hash = hash &* 0x100_0000_01B3
    }
    return hash
  }
}
