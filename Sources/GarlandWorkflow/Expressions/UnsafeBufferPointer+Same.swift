import Glibc

extension UnsafeBufferPointer<UInt8> {
  /// Whether both buffers contain the same bytes. This function runs for every expression of a document, so it has to be fast.
  func isSame(as other: UnsafeBufferPointer<UInt8>) -> Bool {
    guard count == other.count else { return false }
    guard let here = baseAddress, let there = other.baseAddress else { return true }
    return memcmp(here, there, count) == 0
  }
}

extension String {
  /// Whether the text's UTF-8 equals these bytes.
  func hasSameBytes(as other: UnsafeBufferPointer<UInt8>) -> Bool {
    guard utf8.count == other.count else { return false }
    var text = self
    return text.withUTF8 { $0.isSame(as: other) }
  }
}
