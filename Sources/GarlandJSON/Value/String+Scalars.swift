import Glibc

extension String {
  /// Returns whether both strings have the same Unicode scalars. Swift's `==` also treats canonically
  /// equivalent strings as equal, which JSON distinguishes ([RFC 8259
  /// §8.3](https://www.rfc-editor.org/rfc/rfc8259#section-8.3)).
  @inline(__always)
  package func isIdentical(to other: String) -> Bool {
    // Most pairs differ in their length, or in Swift's own comparison, which compares only one or two words for short strings.
    guard utf8.count == other.utf8.count, self == other else { return false }
    return hasSameBytes(as: other)
  }

  private func hasSameBytes(as other: String) -> Bool {
    let compared = utf8.withContiguousStorageIfAvailable { left in
      other.utf8.withContiguousStorageIfAvailable { right in
        guard left.count == right.count else { return false }
        guard let here = left.baseAddress, let there = right.baseAddress else { return true }
        return memcmp(here, there, left.count) == 0
      }
    }
    return (compared ?? nil) ?? utf8.elementsEqual(other.utf8)
  }

  /// Returns whether this string comes before `other` in the order of Unicode scalar values, which is also the order of the UTF-8 bytes
  /// ([RFC 9535 §2.3.5.2.2](https://www.rfc-editor.org/rfc/rfc9535#section-2.3.5.2.2)).
  package func precedesByScalars(_ other: String) -> Bool {
    utf8.lexicographicallyPrecedes(other.utf8)
  }
}

/// A string that equals another string only if both have the same Unicode scalars. Swift's own `==` also accepts equivalent scalars, such
/// as `é` and `e` with an accent.
struct ScalarString: Hashable {
  let string: String

  init(_ string: String) {
    self.string = string
  }

  static func == (lhs: ScalarString, rhs: ScalarString) -> Bool {
    lhs.string.isIdentical(to: rhs.string)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(string)
  }
}
