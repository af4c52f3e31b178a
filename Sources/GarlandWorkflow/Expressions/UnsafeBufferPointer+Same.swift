import Glibc

extension UnsafeBufferPointer<UInt8> {
  /// Whether both have the same bytes, computed for every expression of a document.
  func isSame(as other: UnsafeBufferPointer<UInt8>) -> Bool {
    guard count == other.count else { return false }
    guard let here = baseAddress, let there = other.baseAddress else { return true }
    return memcmp(here, there, count) == 0
  }
}

extension String {
  /// Whether its UTF-8 is these bytes.
  func hasSameBytes(as other: UnsafeBufferPointer<UInt8>) -> Bool {
    guard utf8.count == other.count else { return false }
    var text = self
    return text.withUTF8 { $0.isSame(as: other) }
  }
}
