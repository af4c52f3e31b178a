extension [any CodingKey] {
  /// The coding path as text for error messages, for example `books[0].title`.
  var text: String {
    var text = ""
    for key in self {
      if let index = key.intValue {
        text += "[\(index)]"
      } else {
        text += text.isEmpty ? key.stringValue : "." + key.stringValue
      }
    }
    return text
  }
}

/// A coding key that is the index of a list element.
struct IndexKey: CodingKey {
  let index: Int
  init(_ index: Int) { self.index = index }
  init?(intValue: Int) { index = intValue }
  init?(stringValue: String) { return nil }
  var intValue: Int? { index }
  var stringValue: String { "Index \(index)" }
}

/// A coding key that has a name and no index.
struct NameKey: CodingKey {
  let stringValue: String
  init(_ name: String) { stringValue = name }
  init?(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { return nil }
  var intValue: Int? { nil }
}
