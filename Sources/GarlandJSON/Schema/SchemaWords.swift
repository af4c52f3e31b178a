/// Writes values in a short form for messages.
enum SchemaWords {
  private static let longestText = 80

  static func kind(of value: JSONValue) -> String {
    switch value {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .number(let number): number.text.utf8.count <= 30 ? "the number \(number)" : "a number"
    case .string(let text): text.utf8.count <= 30 ? "the string \(value)" : "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }

  static func value(_ value: JSONValue) -> String {
    let text = value.description
    guard text.utf8.count > longestText else { return text }
    return text.prefix(longestText) + "…"
  }

  static func list(_ values: [JSONValue]) -> String {
    let shown = values.prefix(10).map(value).joined(separator: ", ")
    return values.count > 10 ? shown + " and \(values.count - 10) more" : shown
  }

  static func count(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }
}
