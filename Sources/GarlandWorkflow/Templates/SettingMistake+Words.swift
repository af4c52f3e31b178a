import GarlandJSON

extension SettingMistake {
  /// Returns a mistake with the message "expected … , found …".
  ///
  /// - Parameters:
  ///   - value: the value that was found.
  ///   - expectation: the required form of the value.
  ///   - suggestion: the value that the author may have meant.
  static func unexpected(_ value: JSONValue, instead expectation: String, suggestion: String? = nil) -> SettingMistake {
    unexpected(value, instead: expectation, suggestions: suggestion.map { [$0] } ?? [])
  }

  /// Returns a mistake with the message "expected … , found …".
  ///
  /// - Parameters:
  ///   - value: the value that was found.
  ///   - expectation: the required form of the value.
  ///   - suggestions: the values that the author may have meant, the most likely first.
  static func unexpected(_ value: JSONValue, instead expectation: String, suggestions: [String]) -> SettingMistake {
    SettingMistake("expected \(expectation), found \(Words.found(value))", suggestions: suggestions)
  }

  /// Returns a suggestion for a value without a unit: the number followed by `unit`. The value must be a non-negative number, or a text
  /// that consists only of such a number, such as `"30"`. Returns nil for any other value.
  static func quantity(_ value: JSONValue, unit: String) -> String? { number(value).map { $0.text + unit } }

  /// Returns suggestions for a value that is not a valid duration: the durations that the author of the document may have meant.
  ///
  /// A number without a unit, possibly as a text such as `"30"`, means seconds if it is below 100. For a larger number, milliseconds are
  /// suggested first, since many tools use them, and then seconds. For several amounts with units, such as `1m30s`, the only suggestion is
  /// their sum. For any other value, the list is empty.
  package static func durations(_ value: JSONValue) -> [String] {
    if case .string(let text) = value, let sum = sum(of: text) { return [sum] }
    guard let number = number(value) else { return [] }
    return (number.intValue ?? 0) < 100 ? ["\(number.text)s"] : ["\(number.text)ms", "\(number.text)s"]
  }

  /// Returns the total of several durations in one text, such as `1m30s` or `1h 5m`, as a duration with one unit. Returns nil for any other
  /// text.
  private static func sum(of text: String) -> String? {
    var terms: [String] = []
    for character in text where character != " " {
      if character.isASCII, character.isNumber || character == ".", let last = terms.last, last.last?.isLetter == false {
        terms[terms.count - 1].append(character)
      } else if character.isASCII, character.isNumber {
        terms.append(String(character))
      } else if character.isASCII, character.isLetter, !terms.isEmpty {
        terms[terms.count - 1].append(character)
      } else {
        return nil
      }
    }
    guard terms.count > 1 else { return nil }
    var sum = Duration.zero
    for term in terms {
      guard let amount = Duration(workflowText: term) else { return nil }
      sum += amount
    }
    let (seconds, rest) = sum.components
    if rest == 0 { return "\(seconds)s" }
    guard rest.isMultiple(of: 1_000_000_000_000_000), seconds < 1_000_000_000 else { return nil }
    return "\(seconds * 1000 + rest / 1_000_000_000_000_000)ms"
  }

  private static func number(_ value: JSONValue) -> JSONNumber? {
    let number: JSONNumber? =
      switch value {
      case .number(let number): number
      case .string(let text): JSONNumber(text)
      default: nil
      }
    return number.flatMap { $0.isNegative ? nil : $0 }
  }
}
