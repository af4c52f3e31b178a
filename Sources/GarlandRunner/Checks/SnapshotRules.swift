import GarlandDiagnostics
import GarlandJSON

/// The treatment of snapshots in a run.
package struct SnapshotRules: Sendable {
  /// Whether they are written, as `--update-snapshots` asks.
  package var isUpdating: Bool
  /// Takes secrets out of texts: a snapshot is kept with the sources.
  private let redactor: Redactor?

  package init(isUpdating: Bool = false, redactor: Redactor? = nil) {
    self.isUpdating = isUpdating
    self.redactor = redactor
  }

  func redact(_ text: String) -> String { redactor?.redact(text) ?? text }

  /// The same with secrets masked wherever they stand.
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

/// A snapshot to be written.
package struct SnapshotWrite: Sendable {
  /// The absolute path.
  package let path: String
  /// The path as the document writes it.
  package let shown: String
  package let bytes: [UInt8]
  /// Whether there was none.
  package let isNew: Bool
  /// The place of the path in the document.
  package let range: SourceRange
}
