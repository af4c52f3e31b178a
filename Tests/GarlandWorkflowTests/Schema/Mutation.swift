import GarlandJSON
import TestSupport

@testable import GarlandWorkflow

/// A change that makes a typical mistake of users and editors in a document.
enum Mutation: CaseIterable {
  case otherValue, removed, knownKey, unknownKey, moved, emptied, null, listOrScalar, doubled, added, otherType, wrapped

  static let values: [JSONValue] = [
    .null, true, false, 0, 1, -1, 5, 200, 1.5, "", "x", "5", "true", "none", "30s", "10KB", "200", "2xx", "json", "text/html",
    "${vars.user}", "a ${vars.user}", "$.id", "//a", "a:b", [], ["x"], [1], [.null], .object([:]), ["a": 1], ["file": "cover.png"],
    ["eq": 1], ["x": .null], ["query": "ended"],
  ]

  static let keys: [String] = Array(Set(SchemaTables.all.flatMap { $0.keys.map(\.name) })).sorted() + ["jsn", "x", "Get", "time_out"]

  /// Returns the document with this change at a random place.
  func callAsFunction(_ document: JSONValue, _ random: inout SeededRandom) -> JSONValue {
    guard let place = document.places.randomElement(using: &random), let value = document[place] else { return document }
    func put(_ value: JSONValue?) -> JSONValue { document.replacing(place, with: value) }
    func renamed(_ name: String?) -> JSONValue {
      guard let name else { return document }
      return put(nil).replacing(Array(place.dropLast()) + [.name(name)], with: value)
    }
    switch self {
    case .otherValue: return put(Self.values.randomElement(using: &random))
    case .removed: return put(nil)
    case .knownKey: return renamed(Self.keys.randomElement(using: &random))
    case .unknownKey:
      guard case .name(let name)? = place.last else { return document }
      return renamed([name + "s", name.uppercased(), "x" + name, String(name.dropLast())].randomElement(using: &random))
    case .moved:
      let mappings = document.places.filter { document[$0]?.objectValue != nil && !$0.starts(with: place) }
      guard case .name? = place.last, let name = place.last, let target = mappings.randomElement(using: &random) else { return document }
      return put(nil).replacing(target + [name], with: value)
    case .emptied:
      switch value {
      case .object: return put(.object([:]))
      case .array: return put([])
      default: return put("")
      }
    case .null: return put(.null)
    case .listOrScalar:
      guard case .array(let items) = value else { return put([value]) }
      return put(items.first ?? .null)
    case .doubled:
      if case .array(let items) = value, let first = items.first { return put(.array(items + [first])) }
      guard case .index? = place.last, let items = document[Array(place.dropLast())]?.arrayValue else { return put([value, value]) }
      return document.replacing(Array(place.dropLast()), with: .array(items + [value]))
    case .added:
      guard value.objectValue != nil, let key = Self.keys.randomElement(using: &random) else { return document }
      return document.replacing(place + [.name(key)], with: Self.values.randomElement(using: &random))
    case .otherType:
      switch value {
      case .string(let text): return put(JSONNumber(text).map { .number($0) } ?? (text == "true" ? true : .object([:])))
      case .null: return put(0)
      case .object(let members): return put(.array(members.map(\.value)))
      case .array(let items): return put(.object(JSONObject(items.enumerated().map { ("k\($0.offset)", $0.element) })))
      default: return put(.string(value.jsonText()))
      }
    case .wrapped:
      if case .object(let members) = value, let first = members.first { return put(first.value) }
      return put(.object(JSONObject([(Self.keys.randomElement(using: &random) ?? "x", value)])))
    }
  }
}
