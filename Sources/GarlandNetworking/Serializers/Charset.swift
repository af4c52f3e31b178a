import Glibc

/// Character sets by their names (RFC 2978): the usual ones here, all others as the C library has them.
public enum Charset {
  /// The text that bytes stand for; nil if they are none in this character set, or if nobody knows it. A byte order mark is not part of the text.
  public static func decode(_ bytes: [UInt8], as name: String) -> String? {
    switch name.lowercased() {
    case "utf-8", "utf8":
      let body = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
      return String(validating: body, as: UTF8.self)
    case "iso-8859-1", "latin1", "iso8859-1", "l1":
      if bytes.allSatisfy({ $0 < 0x80 }) { return String(decoding: bytes, as: UTF8.self) }
      var text = ""
      text.unicodeScalars.append(contentsOf: bytes.lazy.map { Unicode.Scalar($0) })
      return text
    case "us-ascii", "ascii":
      return bytes.allSatisfy { $0 < 0x80 } ? String(decoding: bytes, as: UTF8.self) : nil
    case let name: return convert(bytes, from: name)
    }
  }

  private static func convert(_ bytes: [UInt8], from name: String) -> String? {
    // Without this a name could bring iconv's own options with it.
    guard name.utf8.allSatisfy({ PercentEncoding.unreserved.contains($0) || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "+") }) else {
      return nil
    }
    guard let descriptor = iconv_open("UTF-8", name), descriptor != iconv_t(bitPattern: -1) else { return nil }
    defer { iconv_close(descriptor) }
    var input = bytes.map { CChar(bitPattern: $0) }
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count * 2)
    let isComplete = input.withUnsafeMutableBufferPointer { input -> Bool in
      var next = input.baseAddress
      var left = input.count
      return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16 << 10) { piece in
        while left > 0 {
          var target = piece.baseAddress
          var room = piece.count
          let status = iconv(descriptor, &next, &left, &target, &room)
          let isFull = status == -1 && errno == E2BIG
          output.append(contentsOf: piece[..<(piece.count - room)].lazy.map { UInt8(bitPattern: $0) })
          if status == -1, !isFull { return false }
        }
        return true
      }
    }
    guard isComplete else { return nil }
    let body = output.starts(with: [0xEF, 0xBB, 0xBF]) ? output[3...] : output[...]
    return String(validating: body, as: UTF8.self)
  }
}
