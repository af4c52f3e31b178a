import GarlandJSON

extension SettingMistake {
  /// "expected … , found …".
  static func unexpected(_ value: JSONValue, instead expectation: String, suggestion: String? = nil) -> SettingMistake {
    unexpected(value, instead: expectation, suggestions: suggestion.map { [$0] } ?? [])
  }

  /// "expected … , found …", where each of several values may be meant.
  static func unexpected(_ value: JSONValue, instead expectation: String, suggestions: [String]) -> SettingMistake {
    SettingMistake("expected \(expectation), found \(Words.found(value))", suggestions: suggestions)
  }

  /// A bare number (also as a string) with the unit that is probably meant.
  static func quantity(_ value: JSONValue, unit: String) -> String? { number(value).map { $0.text + unit } }

  /// A bare number (also as a string) as durations: of a small one as seconds, of a larger one first as milliseconds, which many tools take.
  static func durations(_ value: JSONValue) -> [String] {
    guard let number = number(value) else { return [] }
    return (number.intValue ?? 0) < 100 ? ["\(number.text)s"] : ["\(number.text)ms", "\(number.text)s"]
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
