import GarlandText

/// Pseudo-random bytes of any length that depend only on a seed and their offset.
///
/// A block of 64 KiB is generated from the seed and then repeated. The first eight bytes of each repetition also depend on the number of
/// the repetition. Therefore no two blocks are equal, all offsets are equally fast to reach, and a large range only needs to be copied.
struct PatternBytes: Sendable {
  static let blockSize = 1 << 16
  private let block: [UInt8]

  /// Creates a pattern from a seed.
  ///
  /// - Parameter count: the maximum number of bytes that will be read. For a small number, the pattern needs less memory.
  init(seed: UInt64, count: UInt64 = .max) {
    var generator = SeededGenerator(seed: seed)
    let words = Int((min(count, UInt64(Self.blockSize)) + 7) / 8)
    block = [UInt8](unsafeUninitializedCapacity: words * 8) { buffer, initialized in
      for index in 0..<words {
        UnsafeMutableRawBufferPointer(buffer).storeBytes(of: generator.next().littleEndian, toByteOffset: index * 8, as: UInt64.self)
      }
      initialized = words * 8
    }
  }

  /// Passes the bytes of `range` to `body` in order, in pieces of at most ``blockSize`` bytes.
  func forEachPiece(in range: Range<UInt64>, _ body: (UnsafeRawBufferPointer) -> Void) {
    var offset = range.lowerBound
    block.withUnsafeBytes { block in
      while offset < range.upperBound {
        let number = offset / UInt64(Self.blockSize)
        let start = Int(offset % UInt64(Self.blockSize))
        let end = Int(min(UInt64(Self.blockSize), range.upperBound - number * UInt64(Self.blockSize)))
        if start < 8 {
          withUnsafeBytes(of: block.loadUnaligned(as: UInt64.self) ^ number.bigEndian) { head in
            body(UnsafeRawBufferPointer(rebasing: head[start..<min(8, end)]))
          }
        }
        if end > 8 { body(UnsafeRawBufferPointer(rebasing: block[max(start, 8)..<end])) }
        offset = number * UInt64(Self.blockSize) + UInt64(end)
      }
    }
  }
}
