/// A fix that a diagnostic suggests, with the path of the file that the fix changes.
package struct ProposedFix: Sendable {
  /// The diagnostic that the change corrects.
  package let diagnostic: Diagnostic
  /// The advice that suggests the change.
  package let message: String
  /// The change of the file's text.
  package let fix: Diagnostic.Fix
  /// The path of the file. Equal paths mean the same file, even if the file was read several times.
  package let path: String

  /// Returns the fixes that a diagnostic suggests, without duplicates.
  ///
  /// - Parameters:
  ///   - diagnostic: The diagnostic whose advice may contain fixes.
  ///   - path: Returns the path of a file; nil for a text that cannot be changed, such as an argument of the command line.
  package static func all(of diagnostic: Diagnostic, path: (SourceFile) -> String?) -> [ProposedFix] {
    var found: [ProposedFix] = []
    for help in diagnostic.helps {
      guard let fix = help.fix, let path = path(fix.range.file) else { continue }
      let proposed = ProposedFix(diagnostic: diagnostic, message: help.message, fix: fix, path: path)
      if !found.contains(where: { $0.place == proposed.place && $0.fix.replacement == fix.replacement }) { found.append(proposed) }
    }
    return found
  }

  /// The file and the range of bytes that a change replaces.
  package struct Place: Hashable, Sendable {
    /// The path of the file to change.
    package let path: String
    /// The offsets of the replaced bytes in the file.
    package let offsets: Range<Int>
  }

  /// The file and the range of this change.
  package var place: Place { Place(path: path, offsets: fix.range.offsets) }
}

extension Diagnostic.Fix {
  /// The replacement as bytes, with the kind of line breaks that the file uses.
  package var replacementBytes: [UInt8] {
    let bytes = Array(replacement.utf8)
    guard bytes.contains(UInt8(ascii: "\n")), !bytes.contains(UInt8(ascii: "\r")), isInTextWithCarriageReturns else { return bytes }
    return bytes.flatMap { $0 == UInt8(ascii: "\n") ? [UInt8(ascii: "\r"), $0] : [$0] }
  }

  /// Whether the line in which the change begins ends with `\r\n`. If this line has no line break, because it is the last line of the file,
  /// the line before it counts instead.
  private var isInTextWithCarriageReturns: Bool {
    let bytes = range.file.bytes
    let place = min(range.offsets.lowerBound, bytes.count)
    let feed = bytes[place...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes[..<place].lastIndex(of: UInt8(ascii: "\n"))
    guard let feed, feed > 0 else { return false }
    return bytes[feed - 1] == UInt8(ascii: "\r")
  }

  /// Returns `bytes`, the content of a file, after applying `fixes`. The fixes must not overlap.
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
