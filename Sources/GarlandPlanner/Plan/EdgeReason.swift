public import GarlandDiagnostics
public import GarlandWorkflow

/// A reason why a step waits for another.
public enum EdgeReason: Sendable {
  /// The step uses a value of the other step.
  case reference(StepReference)
  /// The step names the other step in `after:`.
  case after(StepFlow.After)
  /// The document has `order: file`, and the other step is above this step.
  case fileOrder
  /// The step names the other step in `cleanup:`.
  case cleanup(StepFlow.Cleanup)
  /// The other step uses a value or an object that this step cleans up.
  case cleanupWait(StepFlow.Cleanup)
  /// The other step downloads a file that this step sends, or compares its response with.
  case file(FileLink)

  /// The location of the reason in the document, or nil for `order: file`.
  public var range: SourceRange? {
    switch self {
    case .reference(let reference): reference.range
    case .after(let after): after.range
    case .fileOrder: nil
    case .cleanup(let cleanup), .cleanupWait(let cleanup): cleanup.range
    case .file(let link): link.use
    }
  }

  /// The name of the kind of reason in JSON drawings.
  public var kind: String {
    switch self {
    case .reference: "reference"
    case .after: "after"
    case .fileOrder: "order"
    case .cleanup: "cleanup"
    case .cleanupWait: "cleanup_wait"
    case .file: "file"
    }
  }

  /// A short label of the reason for a drawing, such as `id`, `after` or `cleanup`.
  var label: String {
    switch self {
    case .reference(let reference): reference.name
    case .after(let after): after.condition == .ended ? "ended" : "after"
    case .fileOrder: "order"
    case .cleanup: "cleanup"
    case .cleanupWait: "used"
    case .file: "file"
    }
  }

  /// Returns the reason as half a sentence, which follows "`b` waits for `a`: ".
  func sentence(source: String) -> String {
    switch self {
    case .reference(let reference): "it uses `\(reference.range.text)` in `\(reference.place.key)`"
    case .after(let after): after.condition == .ended ? "`after: {\(source): ended}`" : "`after: \(source)`"
    case .fileOrder: "the document has `order: file`, and `\(source)` is above this step"
    case .cleanup: "`cleanup: \(source)`"
    case .cleanupWait(let cleanup):
      "`\(source)` uses `\(cleanup.range.text)`, and the cleanup of `\(cleanup.range.text)` waits for all such steps"
    case .file(let link): "it uses the file `\(link.path)`, which `\(source)` downloads"
    }
  }
}
