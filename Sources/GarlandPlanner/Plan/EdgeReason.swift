import GarlandDiagnostics
import GarlandWorkflow

/// A reason why a step waits for another.
enum EdgeReason: Sendable {
  /// The waiting step uses a value of the step that it waits for.
  case reference(StepReference)
  /// The waiting step names the other step in its key `after:`.
  case after(StepFlow.After)
  /// The waiting step is below the step that it waits for, in a document with `order: file`, in which the steps run from top to bottom.
  case fileOrder
  /// The waiting step is a cleanup and names the other step in its key `cleanup:`.
  case cleanup(StepFlow.Cleanup)
  /// The waiting step is a cleanup. The step that it waits for uses the object that the cleanup removes, or a value of the step that
  /// created the object.
  case cleanupWait(StepFlow.Cleanup)
  /// The waiting step uses a file that the other step downloads. The waiting step sends the file, loops over the rows of the file, or
  /// compares a response with the file.
  case file(FileLink)

  /// The source range of the text that makes the step wait, such as an entry of `after:`; nil for `order: file`.
  var range: SourceRange? {
    switch self {
    case .reference(let reference): reference.range
    case .after(let after): after.range
    case .fileOrder: nil
    case .cleanup(let cleanup), .cleanupWait(let cleanup): cleanup.range
    case .file(let link): link.use
    }
  }

  /// The name of this kind of reason in JSON drawings.
  var kind: String {
    switch self {
    case .reference: "reference"
    case .after: "after"
    case .fileOrder: "order"
    case .cleanup: "cleanup"
    case .cleanupWait: "cleanup_wait"
    case .file: "file"
    }
  }

  /// The short label with which a drawing shows the reason, such as `id`, `after` or `cleanup`.
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

  /// Returns the reason as a clause to follow "`b` waits for `a`: ", such as "it uses `a.id` in `url`".
  ///
  /// - Parameter source: the id of the step for which the waiting step waits.
  func sentence(source: String) -> String {
    switch self {
    case .reference(let reference): "it uses `\(reference.range.text)` in `\(reference.place.key)`"
    case .after(let after): after.condition == .ended ? "`after: {\(source): ended}`" : "`after: \(source)`"
    case .fileOrder: "the document has `order: file`, and `\(source)` is above this step"
    case .cleanup: "`cleanup: \(source)`"
    case .cleanupWait(let cleanup):
      "as the cleanup of `\(cleanup.range.text)`, it runs after all steps that use `\(cleanup.range.text)`, such as `\(source)`"
    case .file(let link): "it uses the file `\(link.path)`, which `\(source)` downloads"
    }
  }
}
