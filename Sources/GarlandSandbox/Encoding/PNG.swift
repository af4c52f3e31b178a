/// Creates pictures for downloads.
enum PNG {
  /// Returns a square colour gradient as an uncompressed truecolour PNG.
  static func gradient(size: Int) -> [UInt8] {
    var pixels: [UInt8] = []
    for row in 0..<size {
      pixels.append(0)
      for column in 0..<size { pixels += [UInt8(row * 255 / size), UInt8(column * 255 / size), 0x80] }
    }
    let dimension = bigEndian(UInt32(size))
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
      + chunk("IHDR", dimension + dimension + [8, 2, 0, 0, 0]) + chunk("IDAT", Deflate.zlib(pixels)) + chunk("IEND", [])
  }

  private static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
    let content = Array(type.utf8) + data
    return bigEndian(UInt32(data.count)) + content + bigEndian(CRC32.of(content))
  }

  private static func bigEndian(_ number: UInt32) -> [UInt8] { Deflate.littleEndian(number).reversed() }
}
