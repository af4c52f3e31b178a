import GarlandJSON

/// A value that is written to the workflow document.
package indirect enum ImportedValue: Sendable {
  case null
  case bool(Bool)
  /// A number, stored as the text of its digits.
  case number(String)
  case text(ImportedText)
  case list([ImportedValue])
  case object([(key: String, value: ImportedValue)])

  package static func string(_ text: String) -> ImportedValue { .text(ImportedText(text)) }

  /// Creates a value from JSON. The closure `text` converts its strings.
  package init(_ json: JSONValue, text: (String) -> ImportedValue = ImportedValue.string) {
    switch json {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .number(let number): self = .number(number.text)
    case .string(let string): self = text(string)
    case .array(let items): self = .list(items.map { ImportedValue($0, text: text) })
    case .object(let object): self = .object(object.map { ($0.key, ImportedValue($0.value, text: text)) })
    }
  }

  /// Returns the value with a change applied to each text in it, except for the names of members.
  func mapTexts(_ change: (ImportedText) -> ImportedText) -> ImportedValue {
    switch self {
    case .text(let text): .text(change(text))
    case .list(let items): .list(items.map { $0.mapTexts(change) })
    case .object(let members): .object(members.map { ($0.key, $0.value.mapTexts(change)) })
    case .null, .bool, .number: self
    }
  }
}
