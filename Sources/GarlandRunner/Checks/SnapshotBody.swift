import GarlandJSON
import GarlandWorkflow

/// Converts a body to the content of a snapshot file and compares it with the file: JSON by its structure, any other body line by line.
struct SnapshotBody {
  struct Difference {
    /// The number of differences in words for messages, such as `3 lines`. Nil if the differences cannot be counted, because the body is
    /// JSON but the file is not.
    let words: String?
    let lines: [String]
  }

  /// The text that replaces a value that the snapshot ignores.
  static let ignored = "(ignored)"

  private enum Content {
    case json(JSONValue)
    case text(String)
  }

  private let content: Content

  init(of response: some ResponseView, ignoring paths: [JSONPath], _ rules: SnapshotRules) throws(ResponseDataError) {
    let isJSON = response.headers(named: "content-type").last?.lowercased().contains("json") ?? false
    if isJSON {
      content = .json(rules.redact(Self.masked(try response.json(), paths)))
    } else {
      guard paths.isEmpty else {
        throw ResponseDataError("`ignore` needs a JSON body, but the type of the response is not JSON")
      }
      content = .text(rules.redact(try response.text()))
    }
  }

  /// The content of the snapshot file. JSON is indented, so that changes are readable in version control.
  var bytes: [UInt8] {
    switch content {
    case .json(let value): Array((value.jsonText(options: .pretty) + "\n").utf8)
    case .text(let text): Array(text.utf8)
    }
  }

  /// Compares the body with the content of a snapshot file. Returns nil if they are equal.
  func difference(from file: [UInt8], ignoring paths: [JSONPath]) -> Difference? {
    switch content {
    case .json(let value):
      guard let old = try? JSONValue(parsing: file) else { return Difference(words: nil, lines: []) }
      let expected = Self.masked(old, paths)
      if expected == value { return nil }
      let difference = StructuralDifference(expected: expected, actual: value)
      return Difference(words: Shown.count(difference.count, "place"), lines: difference.lines)
    case .text(let text):
      let old = String(decoding: file, as: UTF8.self)
      if old == text { return nil }
      let difference = LineDifference(expected: old, actual: text)
      return Difference(words: Shown.count(difference.count, "line"), lines: difference.lines)
    }
  }

  /// Returns a copy of the value with a placeholder for each value that the paths select. The selected values are then not compared.
  private static func masked(_ value: JSONValue, _ paths: [JSONPath]) -> JSONValue {
    var result = value
    for path in paths {
      // A path that cannot be evaluated on this value selects nothing.
      for node in (try? path.nodes(in: value)) ?? [] where Computation.current?.isOver(after: 1024) != true {
        // Each replacement copies the lists on its path.
        result = result.replacing(node.location.elements[...], with: .string(ignored))
      }
    }
    return result
  }
}

extension JSONValue {
  /// Returns a copy of the value in which the value at the path `place` is replaced by `new`. The path must exist.
  fileprivate func replacing(_ place: ArraySlice<JSONPathElement>, with new: JSONValue) -> JSONValue {
    guard let first = place.first else { return new }
    switch (self, first) {
    case (.array(var items), .index(let index)) where items.indices.contains(index):
      items[index] = items[index].replacing(place.dropFirst(), with: new)
      return .array(items)
    case (.object(var object), .name(let name)):
      guard let old = object[name] else { return self }
      object[name] = old.replacing(place.dropFirst(), with: new)
      return .object(object)
    default: return self
    }
  }
}
