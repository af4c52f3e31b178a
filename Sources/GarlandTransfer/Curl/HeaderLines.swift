import CCurl
import HTTPTypes

/// Header fields on their way into the form in which libcurl takes them.
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
      // `Name:` would remove the field; this is how libcurl writes one without a value.
      line.removeLast(2)
      line.append(UInt8(ascii: ";"))
    }
    try appendLine()
  }

  /// Says that a field which libcurl adds by itself is not to be sent.
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

  /// The list, which is the caller's from now on.
  mutating func take() -> UnsafeMutablePointer<curl_slist>? { list.take() }
}
