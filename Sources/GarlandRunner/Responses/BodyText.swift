import GarlandNetworking
import GarlandWorkflow

/// A body's bytes as text, by the charset that its field names.
enum BodyText {
  /// The `charset` of a `Content-Type`, in lower case.
  static func charset(ofContentType field: String) -> String? {
    for parameter in field.split(separator: ";").dropFirst() {
      let parts = parameter.split(separator: "=", maxSplits: 1)
      guard parts.count == 2 else { continue }
      let name = parts[0].filter { $0 != " " && $0 != "\t" }
      guard name.lowercased() == "charset" else { continue }
      return parts[1].filter { $0 != " " && $0 != "\t" && $0 != "\"" }.lowercased()
    }
    return nil
  }

  /// Without a charset UTF-8 is assumed, which is what JSON has to be and most else is.
  static func decode(_ bytes: [UInt8], charset: String?) -> Result<String, ResponseDataError> {
    switch charset {
    case nil, "utf-8", "utf8", "us-ascii", "ascii":
      guard let text = String(validating: bytes, as: UTF8.self) else {
        return .failure(ResponseDataError("the body is not text: its bytes are not valid UTF-8"))
      }
      return .success(text)
    case "iso-8859-1", "latin1", "windows-1252", "cp1252":
      var text = String.UnicodeScalarView()
      for byte in bytes { text.append(charset == "iso-8859-1" || charset == "latin1" ? Unicode.Scalar(byte) : windows1252(byte)) }
      return .success(String(text))
    case "utf-16", "utf-16le", "utf-16be":
      return utf16(bytes, charset: charset ?? "")
    case let charset?:
      // As the C library has it.
      if let text = Charset.decode(bytes, as: charset) { return .success(text) }
      let isKnown = Charset.decode([], as: charset) != nil
      return .failure(
        ResponseDataError(
          isKnown ? "the body is not text: its bytes are not valid \(charset)" : "the body's charset \(charset) is not known"))
    }
  }

  /// RFC 2781, section 3.3: without a byte order mark it is big-endian.
  private static func utf16(_ bytes: [UInt8], charset: String) -> Result<String, ResponseDataError> {
    var bytes = bytes[...]
    var isLittle = charset == "utf-16le"
    if bytes.starts(with: [0xFF, 0xFE]) {
      isLittle = true
      bytes = bytes.dropFirst(2)
    } else if bytes.starts(with: [0xFE, 0xFF]) {
      isLittle = false
      bytes = bytes.dropFirst(2)
    }
    guard bytes.count.isMultiple(of: 2) else {
      return .failure(ResponseDataError("the body is not text: UTF-16 has an even number of bytes"))
    }
    let units = stride(from: bytes.startIndex, to: bytes.endIndex, by: 2).map { index in
      isLittle ? UInt16(bytes[index + 1]) << 8 | UInt16(bytes[index]) : UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1])
    }
    guard let text = String(validating: units, as: UTF16.self) else {
      return .failure(ResponseDataError("the body is not text: its bytes are not valid UTF-16"))
    }
    return .success(text)
  }

  /// The 32 code points where windows-1252 differs from ISO 8859-1 (https://encoding.spec.whatwg.org/index-windows-1252.txt).
  private static let windowsSpecials: [UInt16] = [
    0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D, 0x017D, 0x8F,
    0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D, 0x017E, 0x0178,
  ]

  private static func windows1252(_ byte: UInt8) -> Unicode.Scalar {
    guard (0x80..<0xA0).contains(byte) else { return Unicode.Scalar(byte) }
    return Unicode.Scalar(windowsSpecials[Int(byte - 0x80)]) ?? Unicode.Scalar(byte)
  }
}
