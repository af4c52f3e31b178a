import GarlandJSON

extension JSONValue {
  /// Returns a copy of this value in which `value` is inserted at a path. Missing objects and lists on the path are created. If a list is
  /// too short for an index on the path, it is filled with null up to this index.
  func setting(_ value: JSONValue, at path: ArraySlice<JSONPathElement>) -> JSONValue {
    guard let first = path.first else { return value }
    switch first {
    case .name(let name):
      var object = objectValue ?? JSONObject()
      object[name] = (object[name] ?? .null).setting(value, at: path.dropFirst())
      return .object(object)
    case .index(let index):
      var items = arrayValue ?? []
      while items.count <= index { items.append(.null) }
      items[index] = items[index].setting(value, at: path.dropFirst())
      return .array(items)
    }
  }

  /// The approximate memory size of the value in bytes.
  var weight: Int {
    switch self {
    case .null, .bool, .number: 16
    case .string(let text): text.utf8.count > 15 ? 48 + text.utf8.count : 16
    case .array(let items): items.reduce(48) { $0 + $1.weight }
    case .object(let object): object.reduce(64) { $0 + 24 + ($1.key.utf8.count > 15 ? 32 + $1.key.utf8.count : 0) + $1.value.weight }
    }
  }
}
