import GarlandWorkflow

/// The text of a document, split into the text of each step and the text outside of the steps.
struct DocumentText {
  private var steps: [(id: String, text: [UInt8])] = []
  /// The text outside of the steps. Nil if a step may use text of other steps through YAML anchors.
  private let rest: [UInt8]?
  private let order: Workflow.Order

  init(_ workflow: Workflow) {
    order = workflow.order
    let bytes = workflow.file.bytes
    var rest: [UInt8] = []
    var end = 0
    for step in workflow.steps.sorted(by: { $0.range.offsets.lowerBound < $1.range.offsets.lowerBound }) {
      let range = step.range.offsets.clamped(to: end..<max(end, bytes.count))
      rest += bytes[end..<range.lowerBound]
      steps.append((step.id, Array(bytes[range])))
      end = range.upperBound
    }
    rest += bytes[end...]
    self.rest = Self.mayHaveAnchors(bytes) ? nil : rest
  }

  /// Whether the text contains a `&` where YAML allows an anchor.
  private static func mayHaveAnchors(_ bytes: [UInt8]) -> Bool {
    bytes.indices.contains { index in
      bytes[index] == UInt8(ascii: "&") && (index == 0 || " \n[{,".utf8.contains(bytes[index - 1]))
    }
  }

  /// Returns the names of the steps that are new or have changed since `earlier`; nil if a difference between the texts may affect every
  /// step.
  func changedSteps(since earlier: DocumentText) -> Set<String>? {
    guard let rest, let old = earlier.rest, Self.lines(of: rest) == Self.lines(of: old), order == earlier.order else { return nil }
    let known = Dictionary(earlier.steps.map { ($0.id, $0.text) }) { first, _ in first }
    let names = steps.map(\.id)
    let kept = earlier.steps.map(\.id).filter(names.contains)
    // The order of the steps may matter, and other steps may have waited for steps that no longer exist.
    guard kept == names.filter({ known[$0] != nil }), kept.count == earlier.steps.count else { return nil }
    return Set(steps.filter { known[$0.id] != $0.text }.map(\.id))
  }

  /// Returns the lines of a text that are not blank.
  private static func lines(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    bytes.split(separator: UInt8(ascii: "\n")).filter { line in line.contains { $0 != UInt8(ascii: " ") } }
  }
}
