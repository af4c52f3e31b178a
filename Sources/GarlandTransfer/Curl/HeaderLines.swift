import CCurl
import HTTPTypes

/// Converts header fields to the list of lines that libcurl needs.
struct HeaderLines: ~Copyable {
  private var list: UnsafeMutablePointer<curl_slist>?
  private var line: [UInt8] = []

  init() { line.reserveCapacity(128) }

  deinit { curl_slist_free_all(list) }

  mutating func append(_ field: HTTPField) throws(NetworkingError) {
    line.removeAll(keepingCapacity: true)
    line.append(contentsOf: field.name.rawName.utf8)
    let nameEnd = line.count
    line.append(UInt8(ascii: ":"))
    line.append(UInt8(ascii: " "))
    field.withUnsafeBytesOfValue { line.append(contentsOf: $0) }
    if line.count == nameEnd + 2 {
      // `Name:` would remove the field; this is libcurl's form of a field without a value.
      line.removeLast(2)
      line.append(UInt8(ascii: ";"))
    }
    try appendLine()
  }

  /// Adds a line such as `Accept:`. Because of this line, libcurl does not add the field by itself.
  mutating func append(removalOf name: HTTPField.Name) throws(NetworkingError) {
    line.removeAll(keepingCapacity: true)
    line.append(contentsOf: name.rawName.utf8)
    line.append(UInt8(ascii: ":"))
    try appendLine()
  }

  private mutating func appendLine() throws(NetworkingError) {
    line.append(0)
    let longer = line.withUnsafeBytes { buffer -> UnsafeMutablePointer<curl_slist>? in
      guard let text = buffer.baseAddress else { return nil }
      return curl_slist_append(list, text.assumingMemoryBound(to: CChar.self))
    }
    guard let longer else { throw NetworkingError(.library(code: Int32(CURLE_OUT_OF_MEMORY.rawValue), detail: "no memory")) }
    list = longer
  }

  /// Returns the list and passes its ownership to the caller.
  mutating func take() -> UnsafeMutablePointer<curl_slist>? { list.take() }
}
