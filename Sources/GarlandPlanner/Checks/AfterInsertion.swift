import GarlandDiagnostics
import GarlandText
import GarlandWorkflow

/// Creates fixes that insert the key `after:` into a step, or that add another id to the step's `after:`.
enum AfterInsertion {
  /// Returns a fix that adds an id to the step's `after:`. The value of `after:` must be a single id, or a list in brackets that ends with
  /// an id; otherwise the result is nil.
  static func addition(_ id: String, to step: Step) -> Diagnostic.Fix? {
    guard let last = step.flow.after.last, last.condition == .passed else { return nil }
    let bytes = last.range.file.bytes
    func byte(before offset: Int) -> UInt8? {
      bytes[..<min(offset, bytes.count)].last { $0 != UInt8(ascii: " ") }
    }
    if step.flow.after.count == 1, byte(before: last.range.offsets.lowerBound) == UInt8(ascii: ":") {
      return Diagnostic.Fix(last.range, "[\(last.range.text), \(id)]")
    }
    let end = last.range.offsets.upperBound
    guard bytes[min(end, bytes.count)...].first(where: { $0 != UInt8(ascii: " ") }) == UInt8(ascii: "]") else { return nil }
    return Diagnostic.Fix(SourceRange(last.range.file, end..<end), ", \(id)")
  }

  /// Returns a fix that inserts `after: ID` before the first key of a step. Returns nil if the document has no simple place for the new
  /// key, for example if the step is an alias.
  static func fix(_ id: String, into step: Step) -> Diagnostic.Fix? {
    let file = step.idRange.file
    let bytes = file.bytes
    let end = min(step.range.offsets.upperBound, bytes.count)
    var index = step.idRange.offsets.upperBound
    func skip(_ isSkipped: (UInt8) -> Bool) { while index < end, isSkipped(bytes[index]) { index += 1 } }
    func isBreak(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") }
    skip(\.isBlank)
    guard index < end, bytes[index] == UInt8(ascii: ":") else { return nil }
    index += 1
    skip(\.isBlank)
    if index < end, bytes[index] == UInt8(ascii: "{") {
      let place = SourceRange(file, index + 1..<index + 1)
      return Diagnostic.Fix(place, index + 1 < end && bytes[index + 1].isBlank ? " after: \(id)," : "after: \(id), ")
    }
    while index < end, bytes[index] == UInt8(ascii: "#") || isBreak(bytes[index]) {
      skip { !isBreak($0) }
      skip(isBreak)
      skip(\.isBlank)
    }
    guard index < end, index > 0 else { return nil }
    let place = SourceRange(file, index..<index)
    let column = place.start.column
    let first = bytes[index]
    // The text may begin with something other than a plain key on its own line: an alias, an anchor, a merge key, or a flow mapping on the
    // next line.
    guard column > 1, first >= UInt8(ascii: "a"), first <= UInt8(ascii: "z"),
      bytes[(index - column + 1)..<index].allSatisfy({ $0 == UInt8(ascii: " ") })
    else { return nil }
    return Diagnostic.Fix(place, "after: \(id)\n\(String(repeating: " ", count: column - 1))")
  }
}
