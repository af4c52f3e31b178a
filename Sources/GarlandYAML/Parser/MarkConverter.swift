/// Converts libyaml's marks, which count characters, to byte offsets.
///
/// Events arrive nearly in order, so each conversion continues from the previous mark. For a text that is entirely ASCII, no conversion is
/// needed.
struct MarkConverter {
  private let bytes: UnsafeBufferPointer<UInt8>
  private let isASCII: Bool
  private var index = 0
  private var offset = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
    isASCII = bytes.allSatisfy { $0 < 0x80 }
  }

  mutating func offset(of mark: Int) -> Int {
    if isASCII { return min(mark, bytes.count) }
    while index < mark, offset < bytes.count {
      offset += 1
      while offset < bytes.count, bytes[offset] & 0xC0 == 0x80 { offset += 1 }
      index += 1
    }
    while index > mark, offset > 0 {
      offset -= 1
      while offset > 0, bytes[offset] & 0xC0 == 0x80 { offset -= 1 }
      index -= 1
    }
    return offset
  }
}
