/// Writes compressed formats without compressing: stored blocks (RFC 1951, section 3.2.4) are valid deflate data.
enum Deflate {
  static func raw(_ bytes: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    var rest = bytes[...]
    repeat {
      let block = rest.prefix(0xFFFF)
      rest = rest.dropFirst(block.count)
      let size = UInt16(block.count)
      output.append(rest.isEmpty ? 1 : 0)
      output += [UInt8(size & 0xFF), UInt8(size >> 8), UInt8(~size & 0xFF), UInt8(~size >> 8)]
      output += block
    } while !rest.isEmpty
    return output
  }

  /// Returns the bytes in the gzip format (RFC 1952).
  static func gzip(_ bytes: [UInt8]) -> [UInt8] {
    gzipHeader + raw(bytes) + littleEndian(CRC32.of(bytes)) + littleEndian(UInt32(truncatingIfNeeded: bytes.count))
  }

  /// Returns the bytes in the zlib format (RFC 1950), which HTTP calls deflate.
  static func zlib(_ bytes: [UInt8]) -> [UInt8] {
    [0x78, 0x01] + raw(bytes) + littleEndian(adler32(bytes)).reversed()
  }

  /// Returns the script that sends a gzip file, and the length of the file in bytes. The file unpacks to about `size` zeros, and has 13
  /// bytes for each 2,064 zeros.
  static func gzipBomb(_ size: UInt64) -> (steps: [WireStep], length: UInt64) {
    let repetitions = size / 2_064
    let zeros = 259 + repetitions * 2_064
    // One block of fixed Huffman codes: a literal zero (8 bits) and then matches of length 258 and distance 1 (8 and 5 bits).
    // Block header, literal and first match are three bytes exactly, eight more matches are thirteen.
    let match: [Bool] = [true, true, false, false, false, true, false, true] + [Bool](repeating: false, count: 5)
    let literal: [Bool] = [false, false, true, true, false, false, false, false]
    let start = packed([true, true, false] + literal + match)
    let unit = packed((0..<8).flatMap { _ in match })
    let end: [UInt8] = [0] + littleEndian(CRC32.ofZeros(zeros)) + littleEndian(UInt32(truncatingIfNeeded: zeros))
    let length = UInt64(gzipHeader.count + start.count + end.count) + repetitions * UInt64(unit.count)
    return ([.write(gzipHeader + start), .repeated(unit, times: Int(repetitions)), .write(end)], length)
  }

  static func littleEndian(_ number: UInt32) -> [UInt8] {
    [UInt8(number & 0xFF), UInt8(number >> 8 & 0xFF), UInt8(number >> 16 & 0xFF), UInt8(number >> 24)]
  }

  static func adler32(_ bytes: [UInt8]) -> UInt32 {
    var low: UInt32 = 1
    var high: UInt32 = 0
    for byte in bytes {
      low = (low + UInt32(byte)) % 65_521
      high = (high + low) % 65_521
    }
    return high << 16 | low
  }

  private static let gzipHeader: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]

  /// Packs bits into bytes. The first bit becomes the lowest bit of the first byte.
  private static func packed(_ bits: [Bool]) -> [UInt8] {
    var output = [UInt8](repeating: 0, count: (bits.count + 7) / 8)
    for (index, bit) in bits.enumerated() where bit { output[index / 8] |= 1 << UInt8(index % 8) }
    return output
  }
}

/// A step in the script by which a connection sends a response: bytes, a pause, or an action.
enum WireStep: Sendable {
  case write([UInt8])
  /// Sends a part of a pattern, unchanged or in chunked coding. If `chunked` is true, the step also ends the chunked body.
  case pattern(PatternBytes, range: Range<UInt64>, chunked: Bool)
  /// Sends the bytes `times` times; if `times` is nil, repeats them until the connection ends.
  case repeated([UInt8], times: Int?)
  case pause(Duration)
  /// Sends nothing more, and waits until the client closes the connection.
  case hang
  /// Closes the connection normally.
  case close
  /// Ends the connection by a TCP reset.
  case reset

  static func text(_ text: String) -> WireStep { .write(Array(text.utf8)) }
}
