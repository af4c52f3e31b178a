import GarlandJSON
import GarlandText

/// The difference between two values as lines: `-` marks the expected value, `+` the actual value.
struct StructuralDifference {
  /// The maximum number of lines that are shown.
  static let limit = 24

  private(set) var lines: [String] = []
  private(set) var count = 0
  private var shown = 0
  /// The path to the first value that differs; nil if there is no difference.
  private(set) var firstPlace: [JSONPathElement]?

  /// The place of the only difference, or the number of differences, as the end of a sentence: `` in `author.name` ``, `in 2 places`.
  var summary: String {
    guard count == 1, let firstPlace, !firstPlace.isEmpty else { return "in \(Shown.count(count, "place"))" }
    let path = PathText.short(firstPlace, from: "")
    return "in `\(path.first == "." ? String(path.dropFirst()) : path)`"
  }

  /// Lists all differences of two values.
  init(expected: JSONValue, actual: JSONValue) {
    for difference in JSONDifference.between(expected: expected, actual: actual, limit: 1000) {
      let place = difference.location.elements
      switch difference.change {
      case .different(let expected, let actual): report(place, expected: expected, actual: actual)
      case .missing(let expected): report(place, expected: expected, actual: nil)
      case .unexpected(let actual): report(place, expected: nil, actual: actual)
      }
    }
    finish()
  }

  /// Lists the parts of `subset` that `actual` does not have, or has with another value.
  init(subset: JSONValue, of actual: JSONValue) {
    compare(subset, actual, [])
    finish()
  }

  private mutating func compare(_ expected: JSONValue, _ actual: JSONValue, _ place: [JSONPathElement]) {
    switch (expected, actual) {
    case (.object(let expected), .object(let actual)):
      for (key, value) in expected {
        if let found = actual[key] {
          compare(value, found, place + [.name(key)])
        } else {
          report(place + [.name(key)], expected: value, actual: nil)
        }
      }
    case (.array(let expected), .array(let actual)):
      for index in SubsetMatch.unmatched(expected, in: actual) { report(place + [.index(index)], expected: expected[index], actual: nil) }
    default:
      if expected != actual { report(place, expected: expected, actual: actual) }
    }
  }

  private mutating func report(_ place: [JSONPathElement], expected: JSONValue?, actual: JSONValue?) {
    count += 1
    if firstPlace == nil { firstPlace = place }
    guard lines.count < StructuralDifference.limit else { return }
    let path = PathText.short(place)
    if let expected { lines.append("- \(path): \(Shown.value(expected, limit: Shown.line))") }
    if let actual { lines.append("+ \(path): \(Shown.value(actual, limit: Shown.line))") }
    shown += 1
  }

  private mutating func finish() {
    if count > shown { lines.append("… and \(count - shown) more") }
  }
}

/// Formats the location of a value in a JSON document as a JSONPath: `$.books[0].title`.
enum PathText {
  static func short(_ place: [JSONPathElement], from root: String = "$") -> String {
    var text = root
    for element in place {
      switch element {
      case .index(let index): text += "[\(index)]"
      case .name(let name): text += isPlain(name) ? ".\(name)" : "[\(JSONValue.string(name).jsonText())]"
      }
    }
    return text
  }

  /// Whether a member name can be written after a dot in a JSONPath, as in `$.name` (`member-name-shorthand`, RFC 9535, section 2.5.1.1).
  private static func isPlain(_ name: String) -> Bool {
    guard let first = name.utf8.first, !first.isDigit else { return false }
    return name.utf8.allSatisfy { $0.isLetterOrDigit || $0 == UInt8(ascii: "_") || $0 >= 0x80 }
  }
}
