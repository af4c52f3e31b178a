import HTTPTypes

/// Lays a form out as the bytes and files that make up its body.
enum MultipartEncoder {
  static func reader(
    for form: MultipartFormData, onReady: @escaping @Sendable () -> Void
  ) throws(NetworkingError) -> SequenceReader {
    guard isValid(boundary: form.boundary) else {
      throw NetworkingError(.invalidRequest("\"\(form.boundary)\" can't be a multipart boundary"))
    }
    var readers: [any BodyReader] = []
    var pending: [UInt8] = []
    for (index, part) in form.parts.enumerated() {
      if index > 0 { pending += "\r\n".utf8 }
      pending += header(of: part, boundary: form.boundary)
      if case .bytes(let bytes) = part.content {
        pending += bytes
        continue
      }
      readers.append(BytesReader(pending))
      pending = []
      switch part.content {
      case .bytes: break
      case .file(let path, let offset, let length): readers.append(try FileReader(path: path, offset: offset, length: length))
      case .stream(let stream): readers.append(StreamReader(stream, onReady: onReady))
      }
    }
    pending += end(of: form)
    readers.append(BytesReader(pending))
    return SequenceReader(readers)
  }

  /// What stands behind the last part.
  static func end(of form: MultipartFormData) -> [UInt8] {
    Array((form.parts.isEmpty ? "--\(form.boundary)--\r\n" : "\r\n--\(form.boundary)--\r\n").utf8)
  }

  /// A part's delimiter and header, with the empty line.
  static func header(of part: MultipartFormData.Part, boundary: String) -> [UInt8] {
    var bytes = Array("--\(boundary)\r\nContent-Disposition: form-data; name=\"".utf8)
    appendQuoted(part.name, to: &bytes)
    if let fileName = part.fileName {
      bytes += "\"; filename=\"".utf8
      appendQuoted(fileName, to: &bytes)
    }
    bytes += "\"\r\n".utf8
    if let contentType = part.contentType {
      // A line break here would be a header field of somebody else's.
      bytes += "Content-Type: ".utf8
      bytes += contentType.utf8.filter { $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\n") }
      bytes += "\r\n".utf8
    }
    for field in part.headerFields {
      bytes += field.name.rawName.utf8
      bytes += ": ".utf8
      field.withUnsafeBytesOfValue { bytes += $0 }
      bytes += "\r\n".utf8
    }
    bytes += "\r\n".utf8
    return bytes
  }

  /// As the HTML standard has it: only these three are escaped, all else stands raw in UTF-8.
  private static func appendQuoted(_ text: String, to bytes: inout [UInt8]) {
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""): bytes += "%22".utf8
      case UInt8(ascii: "\r"): bytes += "%0D".utf8
      case UInt8(ascii: "\n"): bytes += "%0A".utf8
      default: bytes.append(byte)
      }
    }
  }

  /// RFC 2046, section 5.1.1, without the characters that would need quotes in the content type.
  private static func isValid(boundary: String) -> Bool {
    !boundary.isEmpty && boundary.utf8.count <= 70
      && boundary.utf8.allSatisfy { PercentEncoding.unreserved.contains($0) || $0 == UInt8(ascii: "'") || $0 == UInt8(ascii: "+") }
  }
}
