import GarlandJSON

/// A value as the document will have it.
package indirect enum ImportedValue: Sendable {
  case null
  case bool(Bool)
  /// Its digits.
  case number(String)
  case text(ImportedText)
  case list([ImportedValue])
  case object([(key: String, value: ImportedValue)])

  package static func string(_ text: String) -> ImportedValue { .text(ImportedText(text)) }

  /// A JSON value, its texts made by a function.
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
