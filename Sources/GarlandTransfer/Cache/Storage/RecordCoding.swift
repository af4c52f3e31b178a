import HTTPTypes

/// Encodes records as bytes: numbers in little-endian order, texts preceded by their length.
enum RecordCoding {
  static func encode(_ record: CacheRecord) -> [UInt8] {
    var writer = RecordWriter()
    switch record {
    case .response(let head):
      writer.append(UInt8(0))
      writer.append(UInt16(clamping: head.status))
      writer.append(head.reason)
      writer.append(head.version.rawValue)
      writer.append(UInt64(bitPattern: head.requestTime))
      writer.append(UInt64(bitPattern: head.responseTime))
      writer.append(UInt32(clamping: head.fields.count))
      for field in head.fields {
        writer.append(field.name.rawName)
        writer.append(field.value)
      }
      if let selection = head.selection {
        writer.append(UInt8(1))
        writer.append(selection.names, selection.nonce)
        writer.bytes += selection.digest.bytes
      } else {
        writer.append(UInt8(0))
      }
    case .variants(let variants):
      writer.append(UInt8(1))
      writer.append(variants.names, variants.nonce)
    }
    return writer.bytes
  }

  /// Decodes a record. Returns nil if the bytes are not a record.
  static func decode(_ bytes: [UInt8]) -> CacheRecord? {
    var reader = ByteReader(bytes)
    let record: CacheRecord?
    switch reader.byte() {
    case 0: record = response(&reader).map { .response($0) }
    case 1: record = names(&reader).map { .variants(Variants(names: $0, nonce: $1)) }
    default: return nil
    }
    return reader.isAtEnd ? record : nil
  }

  private static func response(_ reader: inout ByteReader) -> StoredHead? {
    guard let status = reader.number(2), let reason = reader.text(), let version = reader.text().flatMap(HTTPVersion.init(rawValue:)),
      let requestTime = reader.number(8), let responseTime = reader.number(8), let count = reader.number(4)
    else { return nil }
    var fields = HTTPFields()
    for _ in 0..<count {
      guard let text = reader.text(), let name = HTTPField.Name(text), let value = reader.text() else { return nil }
      fields.append(HTTPField(name: name, value: value))
    }
    var head = StoredHead(
      status: Int(status), reason: reason, version: version, fields: fields, requestTime: Int64(bitPattern: requestTime),
      responseTime: Int64(bitPattern: responseTime))
    switch reader.byte() {
    case 0: break
    case 1:
      guard let (names, nonce) = names(&reader), let digest = reader.bytes(CacheKey.byteCount).flatMap({ CacheKey(bytes: Array($0)) })
      else {
        return nil
      }
      head.selection = Selection(names: names, nonce: nonce, digest: digest)
    default: return nil
    }
    return head
  }

  private static func names(_ reader: inout ByteReader) -> ([String], [UInt8])? {
    guard let count = reader.number(2) else { return nil }
    var names: [String] = []
    for _ in 0..<count {
      guard let name = reader.text() else { return nil }
      names.append(name)
    }
    guard let length = reader.byte(), let nonce = reader.bytes(Int(length)) else { return nil }
    return (names, Array(nonce))
  }
}

private struct RecordWriter {
  var bytes: [UInt8] = []

  mutating func append(_ number: some FixedWidthInteger) {
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func append(_ text: String) {
    append(UInt32(clamping: text.utf8.count))
    bytes += text.utf8
  }

  mutating func append(_ names: [String], _ nonce: [UInt8]) {
    append(UInt16(clamping: names.count))
    for name in names { append(name) }
    append(UInt8(clamping: nonce.count))
    bytes += nonce
  }
}

/// Reads numbers and texts from untrusted bytes. Each method returns nil if too few bytes are left, or if the bytes are invalid.
struct ByteReader {
  private let all: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { all = bytes }

  var isAtEnd: Bool { position == all.count }

  mutating func byte() -> UInt8? { bytes(1)?.first }

  mutating func bytes(_ count: Int) -> ArraySlice<UInt8>? {
    guard count >= 0, count <= all.count - position else { return nil }
    defer { position += count }
    return all[position..<position + count]
  }

  mutating func number(_ size: Int) -> UInt64? {
    bytes(size)?.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  mutating func text() -> String? {
    guard let length = number(4), length <= UInt64(all.count) else { return nil }
    return bytes(Int(length)).flatMap { String(validating: $0, as: UTF8.self) }
  }
}

/// The content of a cache entry, except the body of the response.
enum CacheRecord: Sendable, Hashable {
  /// The head of a response. The body of the response is stored together with this record.
  case response(StoredHead)
  /// The names of those header fields of a request whose values select one of several stored responses for a URL. This record is stored
  /// under the cache key of the URL.
  case variants(Variants)
}
