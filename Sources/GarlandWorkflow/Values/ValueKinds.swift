import GarlandJSON

/// The set of the kinds that a value may have, such as text and list. The set has several members if the kind is not known before a run.
struct ValueKinds: OptionSet, Sendable, Hashable {
  let rawValue: UInt8

  static let null = ValueKinds(rawValue: 1)
  static let boolean = ValueKinds(rawValue: 2)
  static let number = ValueKinds(rawValue: 4)
  static let text = ValueKinds(rawValue: 8)
  static let list = ValueKinds(rawValue: 16)
  static let mapping = ValueKinds(rawValue: 32)
  static let any = ValueKinds(rawValue: 63)

  init(rawValue: UInt8) { self.rawValue = rawValue }

  init(_ kind: JSONValue.Kind) {
    switch kind {
    case .null: self = .null
    case .boolean: self = .boolean
    case .number: self = .number
    case .string: self = .text
    case .array: self = .list
    case .object: self = .mapping
    }
  }

  /// The kinds in the singular, for messages, such as "a number" or "text or a list".
  var words: String {
    listed(["text", "a number", "a boolean", "a list", "a mapping", "null"], "or")
  }

  /// The kinds in the plural, for messages, such as "numbers" or "texts and lists".
  var plural: String {
    listed(["texts", "numbers", "booleans", "lists", "mappings", "null"], "and")
  }

  private func listed(_ words: [String], _ conjunction: String) -> String {
    let names = zip([ValueKinds.text, .number, .boolean, .list, .mapping, .null], words).filter { contains($0.0) }.map(\.1)
    guard let last = names.last, names.count > 1 else { return names.first ?? "nothing" }
    return names.dropLast().joined(separator: ", ") + " \(conjunction) " + last
  }
}
