import GarlandJSON

extension SettingMistake {
  /// Returns the mistake "expected … , found …".
  static func unexpected(_ value: JSONValue, instead expectation: String, suggestion: String? = nil) -> SettingMistake {
    unexpected(value, instead: expectation, suggestions: suggestion.map { [$0] } ?? [])
  }

  /// Returns the mistake "expected … , found …" with several suggestions.
  static func unexpected(_ value: JSONValue, instead expectation: String, suggestions: [String]) -> SettingMistake {
    SettingMistake("expected \(expectation), found \(Words.found(value))", suggestions: suggestions)
  }

  /// Returns a number without a unit, which may be text, with the unit that was probably intended.
  static func quantity(_ value: JSONValue, unit: String) -> String? { number(value).map { $0.text + unit } }

  /// Returns the durations that a number without a unit may mean: seconds for a small number; for a larger one first milliseconds, which
  /// many tools use, and then seconds. Returns the sum of several amounts with units, such as `1m30s`. The number may be text.
  package static func durations(_ value: JSONValue) -> [String] {
    if case .string(let text) = value, let sum = sum(of: text) { return [sum] }
    guard let number = number(value) else { return [] }
    return (number.intValue ?? 0) < 100 ? ["\(number.text)s"] : ["\(number.text)ms", "\(number.text)s"]
  }

  /// Returns the sum of several amounts, such as `1m30s` and `1h 5m`, as a duration in one unit.
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
