/// Turns libyaml's marks, which count characters, into byte offsets.
///
/// Events arrive nearly in order, so the conversion continues from the previous mark; a text of
/// ASCII alone needs none.
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
