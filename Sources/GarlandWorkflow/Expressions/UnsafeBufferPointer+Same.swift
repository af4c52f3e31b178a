import Glibc

extension UnsafeBufferPointer<UInt8> {
  /// Whether both buffers contain the same bytes. This function is called for every expression of a document, so it must be fast.
  func isSame(as other: UnsafeBufferPointer<UInt8>) -> Bool {
    guard count == other.count else { return false }
    guard let here = baseAddress, let there = other.baseAddress else { return true }
    return memcmp(here, there, count) == 0
  }
}

extension String {
  /// Whether the UTF-8 bytes of the text are equal to the bytes of `other`.
  func hasSameBytes(as other: UnsafeBufferPointer<UInt8>) -> Bool {
    guard utf8.count == other.count else { return false }
    var text = self
    return text.withUTF8 { $0.isSame(as: other) }
  }
}
