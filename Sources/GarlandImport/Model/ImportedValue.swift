import GarlandJSON

/// A value to be written to the workflow document.
package indirect enum ImportedValue: Sendable {
  case null
  case bool(Bool)
  /// A number, in the form of its digits.
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
}
