import GarlandDiagnostics

/// The rules that hold for every diagnostic.
enum DiagnosticRules {
  static func violation(in list: DiagnosticList, of input: [UInt8]) -> String? {
    for diagnostic in list.all {
      // A mistake of a file as a whole has no place in it: a binary file, one that is too large, or
      // one in UTF-32.
      let isWhole = ["binary-file", "file-too-large", "invalid-encoding"].contains(diagnostic.code)
      if diagnostic.range == nil, isWhole { continue }
      guard let range = diagnostic.range else { return "\(diagnostic.code) has no place" }
      let fixes = diagnostic.helps.compactMap(\.fix)
      for range in [range] + diagnostic.notes.compactMap(\.range) + fixes.map(\.range) {
        guard range.offsets.upperBound <= range.file.bytes.count else { return "\(diagnostic.code) is beyond the end of its file" }
      }
      guard !diagnostic.message.isEmpty, !diagnostic.message.hasSuffix(".") else { return "\(diagnostic.code): \(diagnostic.message)" }
      for fix in fixes {
        guard fix.range.file === range.file else { return "\(diagnostic.code) mends another file" }
        let bytes = range.file.bytes
        guard isBoundary(fix.range.offsets.lowerBound, bytes), isBoundary(fix.range.offsets.upperBound, bytes) else {
          return "\(diagnostic.code) cuts a character in two"
        }
      }
    }
    // Written out, a report is of a size that can be read, and has no control characters that a terminal would obey.
    let text = DiagnosticRenderer(width: 100).render(list).plain
    guard text.unicodeScalars.allSatisfy({ $0 == "\n" || $0.value >= 0x20 && $0.value != 0x7F }) else {
      return "a control character in \(text.debugDescription)"
    }
    return nil
  }

  private static func isBoundary(_ offset: Int, _ bytes: [UInt8]) -> Bool {
    offset >= bytes.count || bytes[offset] & 0xC0 != 0x80
  }
}
