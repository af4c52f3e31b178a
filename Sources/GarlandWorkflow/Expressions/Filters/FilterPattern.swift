import GarlandJSON
import Synchronization

/// A regular expression that is the argument of a filter such as `match`.
struct FilterPattern {
  /// A mistake in the arguments of a filter. The message is a sentence without a full stop.
  struct Mistake: Error {
    let message: String
    /// Whether the result of the filter would be too large. False for any other mistake.
    var isTooLarge = false
  }

  private let expression: RegularExpression

  /// The pattern that was compiled last, as a cache: a filter in an argument of `map` uses the same pattern for each item.
  private static let last = Mutex<RegularExpression?>(nil)

  init(_ pattern: String) throws(Mistake) {
    if let known = Self.last.withLock({ $0 }), known.pattern == pattern {
      expression = known
      return
    }
    do throws(RegularExpressionError) {
      let compiled = try RegularExpression(pattern)
      Self.last.withLock { $0 = compiled }
      expression = compiled
    } catch {
      throw Mistake(message: error.description)
    }
  }

  /// Checks the argument that follows the pattern: a replacement text, or the number of a group. The check depends only on the pattern, so
  /// the check is possible before the searched text is known.
  func check(_ filter: Filter, _ argument: JSONValue) throws(Mistake) {
    if filter == .regexReplace { _ = try parts(of: argument.stringValue ?? "") } else { _ = try number(of: argument) }
  }

  func first(in text: String, group: JSONValue?) throws(Mistake) -> String? {
    let group = try number(of: group)
    var found: String?
    try forEachMatch(in: text) { match in
      found = match[group]
      return false
    }
    return found
  }

  func all(in text: String, group: JSONValue?) throws(Mistake) -> [JSONValue] {
    let group = try number(of: group)
    var found: [JSONValue] = []
    var size = SizeLimit.Count()
    try forEachMatch(in: text) { match in
      guard let part = match[group] else { return true }
      found.append(.string(part))
      return size.add(JSONValue.string(part))
    }
    if let message = size.excess { throw Mistake(message: message, isTooLarge: true) }
    return found
  }

  func replacing(in text: String, with new: String) throws(Mistake) -> String {
    let parts = try parts(of: new)
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var end = 0
    try forEachMatch(in: text) { match in
      result += bytes[end..<match.range.lowerBound]
      for part in parts where result.count <= SizeLimit.text {
        switch part {
        case .text(let text): result += text
        case .group(let group): result += Array((match[group] ?? "").utf8)
        }
      }
      end = match.range.upperBound
      return result.count <= SizeLimit.text && Computation.hasRoom(for: 2 * result.count)
    }
    guard result.count <= SizeLimit.text else { throw Mistake(message: SizeLimit.textMessage, isTooLarge: true) }
    result += bytes[end...]
    return String(decoding: result, as: UTF8.self)
  }

  private func forEachMatch(in text: String, _ body: (RegularExpression.Match) -> Bool) throws(Mistake) {
    do throws(RegularExpressionMatchingError) {
      try expression.forEachMatch(in: text, body)
    } catch {
      throw Mistake(message: "the text can't be searched: \(error)")
    }
  }

  // MARK: Groups

  private func number(of group: JSONValue?) throws(Mistake) -> Int {
    switch group {
    case nil: return expression.wantedGroup
    case .string(let name)?: return try number(named: name)
    case let value?:
      guard let number = value.intValue, (0...expression.groupCount).contains(number) else {
        let count = expression.groupCount
        throw Mistake(
          message:
            "there is no group \(value.jsonText()): the regular expression has \(count == 0 ? "no groups" : count == 1 ? "1 group" : "\(count) groups")"
        )
      }
      return number
    }
  }

  private func number(named name: String) throws(Mistake) -> Int {
    if let number = expression.groupNumber(named: name) { return number }
    let names = expression.groupNames
    throw Mistake(
      message: "there is no group `\(Words.excerpt(name))`: the regular expression has "
        + (names.isEmpty ? "no groups with names" : "the groups \(Words.list(names))"))
  }

  private enum Part {
    case text([UInt8])
    case group(Int)
  }

  /// Splits a replacement text into literal text and the references `$1` and `$<name>`. `$$` is a literal `$`, and so is a `$` that begins
  /// none of these. Throws an error for a reference to a group that the regular expression does not have.
  private func parts(of replacement: String) throws(Mistake) -> [Part] {
    var parts: [Part] = []
    var literal: [UInt8] = []
    var rest = Array(replacement.utf8)[...]
    func add(_ group: Int) {
      if !literal.isEmpty { parts.append(.text(literal)) }
      literal = []
      parts.append(.group(group))
    }
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "$"), let next = rest.first else {
        literal.append(byte)
        continue
      }
      if next == UInt8(ascii: "$") {
        literal.append(next)
        rest = rest.dropFirst()
      } else if next == UInt8(ascii: "<"), let end = rest.firstIndex(of: UInt8(ascii: ">")) {
        add(try number(named: String(decoding: rest[rest.startIndex + 1..<end], as: UTF8.self)))
        rest = rest[(end + 1)...]
      } else if case let digits = rest.prefix(while: { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }), !digits.isEmpty {
        let group = Int(String(decoding: digits.prefix(3), as: UTF8.self)) ?? 0
        add(try number(of: JSONValue(group)))
        rest = rest.dropFirst(min(3, digits.count))
      } else {
        literal.append(byte)
      }
    }
    if !literal.isEmpty { parts.append(.text(literal)) }
    return parts
  }
}
