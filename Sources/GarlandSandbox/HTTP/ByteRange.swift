import GarlandText

/// The range that a `Range` field requests (RFC 9110, section 14.1.2) from a representation with a known size.
enum ByteRange: Equatable {
  case range(Range<UInt64>)
  /// The `Range` field is valid, but the representation has no bytes in the range.
  case unsatisfiable
  /// The field has a unit other than bytes, has several ranges, or is invalid, so it is ignored.
  case ignored

  init(_ field: String, size: UInt64) {
    self = .ignored
    let pieces = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard pieces.count == 2, String(pieces[0].withoutBlanks).equalsIgnoringCase("bytes") else { return }
    let bounds = pieces[1].withoutBlanks.split(separator: "-", omittingEmptySubsequences: false)
    guard bounds.count == 2, let first = Self.number(bounds[0]), let last = Self.number(bounds[1]) else { return }
    switch (first, last) {
    case (nil, nil): return
    case (nil, let suffix?):
      self = suffix == 0 || size == 0 ? .unsatisfiable : .range(size - min(size, suffix)..<size)
    case (let first?, let last):
      if let last, last < first { return }
      self = first >= size ? .unsatisfiable : .range(first..<min(size, (last ?? size).addingClamped(1)))
    }
  }

  /// Parses the number before or after the `-` in a range. Returns `.some(nil)` if the text is empty, because the range has no number on
  /// this side of the `-`. Returns `.none` if the text is not a number.
  private static func number(_ text: Substring) -> UInt64?? {
    let text = text.withoutBlanks
    if text.isEmpty { return .some(nil) }
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return .none }
    return .some(UInt64(text) ?? UInt64.max)
  }
}

extension UInt64 {
  fileprivate func addingClamped(_ other: UInt64) -> UInt64 {
    let (sum, overflows) = addingReportingOverflow(other)
    return overflows ? .max : sum
  }
}
