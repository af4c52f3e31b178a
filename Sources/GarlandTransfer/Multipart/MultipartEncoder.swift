import GarlandText
import HTTPTypes

/// Converts a form to the sequence of bytes and files that make up its body.
struct MultipartEncoder {
  /// A piece of a form's body: bytes in memory, or a file or stream that is read while the body is sent.
  enum Segment: Sendable {
    case bytes([UInt8])
    case file(path: String, offset: Int64, length: Int64?)
    case stream(BodyStream)
  }

  /// The maximum depth of nested forms. A deeper form is a mistake.
  private static let maximumDepth = 32

  private var segments: [Segment] = []
  /// The bytes that were not added to ``segments`` yet.
  private var pending: [UInt8] = []

  /// Returns the segments of a form's body. Throws if a boundary is invalid, or if forms are nested more than ``maximumDepth`` deep. Also
  /// throws if one form is nested in another, and the boundary of one of them begins with the boundary of the other.
  static func segments(of form: MultipartFormData) throws(NetworkingError) -> [Segment] {
    var encoder = MultipartEncoder()
    try encoder.append(form, within: [])
    encoder.flush()
    return encoder.segments
  }

  static func reader(
    for form: MultipartFormData, onReady: @escaping @Sendable () -> Void
  ) throws(NetworkingError) -> SequenceReader {
    var readers: [any BodyReader] = []
    for segment in try segments(of: form) {
      switch segment {
      case .bytes(let bytes): readers.append(BytesReader(bytes))
      case .file(let path, let offset, let length): readers.append(try FileReader(path: path, offset: offset, length: length))
      case .stream(let stream): readers.append(StreamReader(stream, onReady: onReady))
      }
    }
    return SequenceReader(readers)
  }

  // MARK: Layout

  /// Appends the parts of `form` to the encoded body. `outer` contains the boundaries of the enclosing forms.
  private mutating func append(_ form: MultipartFormData, within outer: [String]) throws(NetworkingError) {
    guard Self.isValid(boundary: form.boundary) else {
      throw NetworkingError(.invalidRequest("\"\(form.boundary)\" can't be a multipart boundary"))
    }
    // RFC 2046, section 5.1.2. A boundary that is the start of another would match it too.
    guard outer.allSatisfy({ !$0.hasPrefix(form.boundary) && !form.boundary.hasPrefix($0) }) else {
      throw NetworkingError(.invalidRequest("a form within a form needs another boundary than \"\(form.boundary)\""))
    }
    guard outer.count < Self.maximumDepth else {
      throw NetworkingError(.invalidRequest("forms are nested more than \(Self.maximumDepth) deep"))
    }
    for (index, part) in form.parts.enumerated() {
      if index > 0 { pending += "\r\n".utf8 }
      pending += "--\(form.boundary)\r\n".utf8
      appendHeader(of: part)
      switch part.content {
      case .bytes(let bytes): pending += bytes
      case .file(let path, let offset, let length): append(.file(path: path, offset: offset, length: length))
      case .stream(let stream): append(.stream(stream))
      case .form(let inner): try append(inner, within: outer + [form.boundary])
      }
    }
    pending += (form.parts.isEmpty ? "--\(form.boundary)--\r\n" : "\r\n--\(form.boundary)--\r\n").utf8
  }

  private mutating func append(_ segment: Segment) {
    flush()
    segments.append(segment)
  }

  private mutating func flush() {
    if !pending.isEmpty { segments.append(.bytes(pending)) }
    pending = []
  }

  /// Appends a part's header and the empty line after it.
  private mutating func appendHeader(of part: MultipartFormData.Part) {
    if let disposition = part.disposition.text {
      pending += "Content-Disposition: ".utf8
      pending += disposition.utf8
      if let name = part.name { appendParameter("name", name) }
      if let fileName = part.fileName { appendParameter("filename", fileName) }
      pending += "\r\n".utf8
    }
    if let contentType = part.contentType ?? part.content.ownType {
      // A line break here would inject a header field.
      pending += "Content-Type: ".utf8
      pending += contentType.utf8.filter { $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\n") && $0 != 0 }
      pending += "\r\n".utf8
    }
    for field in part.headerFields {
      pending += field.name.rawName.utf8
      pending += ": ".utf8
      field.withUnsafeBytesOfValue { pending += $0 }
      pending += "\r\n".utf8
    }
    pending += "\r\n".utf8
  }

  /// Appends a parameter, such as `filename`, to the header of a part. As the HTML standard defines, quotes and line breaks are escaped,
  /// and all other characters are written as UTF-8. Zero bytes are escaped too, since no header may contain them.
  private mutating func appendParameter(_ name: StaticString, _ text: String) {
    pending += "; \(name)=\"".utf8
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""): pending += "%22".utf8
      case UInt8(ascii: "\r"): pending += "%0D".utf8
      case UInt8(ascii: "\n"): pending += "%0A".utf8
      // No header may contain a zero byte (RFC 9110, section 5.5), and C code would truncate the name there.
      case 0: pending += "%00".utf8
      default: pending.append(byte)
      }
    }
    pending.append(UInt8(ascii: "\""))
  }

  /// Whether a boundary is valid (RFC 2046, section 5.1.1) and can be written into the content type without
  /// quotes.
  private static func isValid(boundary: String) -> Bool {
    !boundary.isEmpty && boundary.utf8.count <= 70
      && boundary.utf8.allSatisfy { PercentEncoding.unreserved.contains($0) || $0 == UInt8(ascii: "'") || $0 == UInt8(ascii: "+") }
  }
}

extension MultipartFormData {
  /// The number of bytes of the body as it is sent; nil if a file can't be read, a boundary is invalid, or the length of a stream is
  /// unknown.
  package var length: Int64? {
    guard let segments = try? MultipartEncoder.segments(of: self) else { return nil }
    var length: Int64 = 0
    for segment in segments {
      switch segment {
      case .bytes(let bytes): length += Int64(bytes.count)
      case .file(let path, let offset, let part):
        guard let reader = try? FileReader(path: path, offset: offset, length: part), let bytes = reader.length else { return nil }
        length += bytes
      case .stream(let stream):
        guard let bytes = stream.length else { return nil }
        length += bytes
      }
    }
    return length
  }
}

extension MultipartFormData.Part.Content {
  /// The content type of a nested form; nil for any other content, since only a form determines its content type.
  fileprivate var ownType: String? { if case .form(let form) = self { form.contentType } else { nil } }
}
