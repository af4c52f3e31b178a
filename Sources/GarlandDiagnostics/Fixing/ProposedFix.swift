/// A change of a text that a diagnostic suggests, with the path of the text's file.
package struct ProposedFix: Sendable {
  /// The diagnostic that the change corrects.
  package let diagnostic: Diagnostic
  /// The advice for the change.
  package let message: String
  /// The change.
  package let fix: Diagnostic.Fix
  /// The path of the file, the same however the file was read.
  package let path: String

  /// Returns the fixes that a diagnostic suggests, each change once.
  ///
  /// - Parameters:
  ///   - diagnostic: The diagnostic.
  ///   - path: Returns the path of a file; nil if it cannot be changed, such as an argument of the
  ///     command line.
  package static func all(of diagnostic: Diagnostic, path: (SourceFile) -> String?) -> [ProposedFix] {
    var found: [ProposedFix] = []
    for help in diagnostic.helps {
      guard let fix = help.fix, let path = path(fix.range.file) else { continue }
      let proposed = ProposedFix(diagnostic: diagnostic, message: help.message, fix: fix, path: path)
      if !found.contains(where: { $0.place == proposed.place && $0.fix.replacement == fix.replacement }) { found.append(proposed) }
    }
    return found
  }

  /// The place of a change.
  package struct Place: Hashable, Sendable {
    /// The path of the file.
    package let path: String
    /// The offsets of the replaced bytes.
    package let offsets: Range<Int>
  }

  /// The place of the change.
  package var place: Place { Place(path: path, offsets: fix.range.offsets) }
}

extension Diagnostic.Fix {
  /// The replacement with the line breaks of its file.
  package var replacementBytes: [UInt8] {
    let bytes = Array(replacement.utf8)
    guard bytes.contains(UInt8(ascii: "\n")), !bytes.contains(UInt8(ascii: "\r")), isInTextWithCarriageReturns else { return bytes }
    return bytes.flatMap { $0 == UInt8(ascii: "\n") ? [UInt8(ascii: "\r"), $0] : [$0] }
  }

  /// Whether the line break nearest to the place, below it or else above it, is `\r\n`.
  private var isInTextWithCarriageReturns: Bool {
    let bytes = range.file.bytes
    let place = min(range.offsets.lowerBound, bytes.count)
    let feed = bytes[place...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes[..<place].lastIndex(of: UInt8(ascii: "\n"))
    guard let feed, feed > 0 else { return false }
    return bytes[feed - 1] == UInt8(ascii: "\r")
  }

  /// Returns the bytes of a file with these changes, which must not overlap.
  package static func making(_ fixes: [Diagnostic.Fix], in bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var copied = 0
    for fix in fixes.sorted(by: { $0.range.offsets.lowerBound < $1.range.offsets.lowerBound }) {
      let offsets = fix.range.offsets.clamped(to: copied..<bytes.count)
      result += bytes[copied..<offsets.lowerBound]
      result += fix.replacementBytes
      copied = offsets.upperBound
    }
    return result + bytes[copied...]
  }
}
