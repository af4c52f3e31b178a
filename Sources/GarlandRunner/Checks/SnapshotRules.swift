import GarlandDiagnostics
import GarlandJSON
import GarlandWorkflow

/// The settings of a run for snapshot files: whether they are updated, and how secrets in them are
/// masked.
package struct SnapshotRules: Sendable {
  /// Whether the run writes snapshot files that are missing, or that differ from the response (`--update-snapshots`).
  package var isUpdating: Bool
  /// Masks secrets in snapshots, since snapshots are usually stored together with the source files.
  private let redactor: Redactor?

  package init(isUpdating: Bool = false, redactor: Redactor? = nil) {
    self.isUpdating = isUpdating
    self.redactor = redactor
  }

  func redact(_ text: String) -> String { redactor?.redact(text) ?? text }

  /// Returns the value with all secrets in it masked.
  func redact(_ value: JSONValue) -> JSONValue {
    guard redactor != nil else { return value }
    switch value {
    case .null, .bool: return value
    case .number(let number):
      let text = redact(number.text)
      return text == number.text ? value : .string(text)
    case .string(let text): return .string(redact(text))
    case .array(let items): return .array(items.map { redact($0) })
    case .object(let object): return .object(JSONObject(object.map { (redact($0.key), redact($0.value)) }))
    }
  }
}

/// A snapshot file that is written after all checks of a response.
package struct SnapshotWrite: Sendable {
  /// The access to the file system.
  let files: FileAccess
  /// The absolute path of the snapshot file.
  package let path: String
  /// The path of the snapshot file, as written in the document.
  package let shown: String
  package let bytes: [UInt8]
  /// Whether the snapshot file does not exist yet.
  package let isNew: Bool
  /// The source range, in the document, of the text that gives the path of the snapshot file.
  package let range: SourceRange
}
