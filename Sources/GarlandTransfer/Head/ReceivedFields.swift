import HTTPTypes
import Synchronization

/// The received fields of a header, converted to `HTTPFields` on demand. Most responses never need
/// all fields, and the conversion costs more than the rest of the work on a header.
package final class ReceivedFields: Sendable {
  /// The position of a field's name and value in the received bytes.
  struct Entry: Sendable {
    var name: Range<Int>
    var value: Range<Int>
  }

  private let bytes: [UInt8]
  private let entries: [Entry]
  private let made: Mutex<HTTPFields?>

  init(bytes: [UInt8], entries: [Entry]) {
    self.bytes = bytes
    self.entries = entries
    made = Mutex(nil)
  }

  /// Creates the fields of a header that did not come from the network.
  package init(_ fields: HTTPFields) {
    var bytes: [UInt8] = []
    var entries: [Entry] = []
    for field in fields {
      let start = bytes.count
      bytes.append(contentsOf: field.name.rawName.utf8)
      let middle = bytes.count
      field.withUnsafeBytesOfValue { bytes.append(contentsOf: $0) }
      entries.append(Entry(name: start..<middle, value: middle..<bytes.count))
    }
    self.bytes = bytes
    self.entries = entries
    made = Mutex(fields)
  }

  /// A header without fields.
  package static let none = ReceivedFields(HTTPFields())

  /// All fields of the header in the order in which they arrived, as `HTTPFields`.
  package var fields: HTTPFields {
    made.withLock { made in
      if let made { return made }
      var fields = HTTPFields()
      bytes.withUnsafeBytes { bytes in
        for entry in entries {
          guard let name = FieldNames.name(UnsafeRawBufferPointer(rebasing: bytes[entry.name])) else { continue }
          fields.append(HTTPField(name: name, value: UnsafeRawBufferPointer(rebasing: bytes[entry.value])))
        }
      }
      made = fields
      return fields
    }
  }

  /// Whether there is a field with a given name, which must be in lower case.
  package func contains(_ name: StaticString) -> Bool { first(name) != nil }

  /// The length of the body, as announced by `Content-Length`.
  var announcedLength: AnnouncedLength {
    var found: Range<Int>?
    for entry in entries where isName(entry, "content-length") {
      if found != nil { return AnnouncedLength(texts("content-length")) }
      found = entry.value
    }
    guard let found else { return .unknown }
    guard !found.isEmpty, found.count <= 18 else { return AnnouncedLength(texts("content-length")) }
    var value: Int64 = 0
    for byte in bytes[found] {
      guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return AnnouncedLength(texts("content-length")) }
      value = value * 10 + Int64(byte - UInt8(ascii: "0"))
    }
    return .bytes(value)
  }

  private func texts(_ name: StaticString) -> [String] {
    entries.filter { isName($0, name) }.map { String(decoding: bytes[$0.value], as: UTF8.self) }
  }

  private func first(_ name: StaticString) -> Entry? { entries.first { isName($0, name) } }

  private func isName(_ entry: Entry, _ name: StaticString) -> Bool {
    guard entry.name.count == name.utf8CodeUnitCount else { return false }
    return bytes.withUnsafeBufferPointer { bytes in
      for offset in 0..<entry.name.count where Self.lower(bytes[entry.name.lowerBound + offset]) != name.utf8Start[offset] { return false }
      return true
    }
  }

  private static func lower(_ byte: UInt8) -> UInt8 {
    byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
  }
}
