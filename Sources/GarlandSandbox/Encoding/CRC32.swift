/// Computes the cyclic redundancy check of gzip and PNG (RFC 1952, section 8).
struct CRC32 {
  private static let polynomial: UInt32 = 0xEDB8_8320

  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? value >> 1 ^ polynomial : value >> 1 }
  }

  static func of(_ bytes: some Sequence<UInt8>) -> UInt32 {
    let table = table
    return ~bytes.reduce(~UInt32(0)) { crc, byte in table[Int((crc ^ UInt32(byte)) & 0xFF)] ^ crc >> 8 }
  }

  /// Returns the CRC of a number of zero bytes. Each zero byte multiplies the state by x⁸ modulo the polynomial. The power is computed by
  /// repeated squaring, so the time is proportional to the number of binary digits of `count`.
  static func ofZeros(_ count: UInt64) -> UInt32 {
    var power: UInt32 = 0x0080_0000
    var product: UInt32 = 0x8000_0000
    var rest = count
    while rest > 0 {
      if rest & 1 == 1 { product = multiply(product, power) }
      power = multiply(power, power)
      rest >>= 1
    }
    return ~multiply(~UInt32(0), product)
  }

  /// Returns the product of two polynomials over GF(2). The highest power is in the lowest bit.
  private static func multiply(_ left: UInt32, _ right: UInt32) -> UInt32 {
    var product: UInt32 = 0
    var factor = right
    for bit in 0..<32 {
      if left & (0x8000_0000 >> UInt32(bit)) != 0 { product ^= factor }
      factor = factor & 1 == 1 ? factor >> 1 ^ polynomial : factor >> 1
    }
    return product
  }
}

/// Creates PNG pictures for routes that send pictures.
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
