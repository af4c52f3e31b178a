/// An extract that no step of its document uses.
public struct UnusedExtract: Sendable, Hashable {
  private let stepOrdinal: Int32
  private let extractIndex: Int32

  init(step: Int, extract: Int) {
    stepOrdinal = Int32(clamping: step)
    extractIndex = Int32(clamping: extract)
  }

  /// The ordinal of the step that has the extract.
  public var step: Int { Int(stepOrdinal) }
  /// The index of the extract in ``Step/extractions``.
  public var extract: Int { Int(extractIndex) }
}
