import GarlandJSON

extension SettingMistake {
  /// "expected … , found …".
  static func unexpected(_ value: JSONValue, instead expectation: String, suggestion: String? = nil) -> SettingMistake {
    SettingMistake("expected \(expectation), found \(Words.found(value))", suggestion: suggestion)
  }

  /// A bare number (also as a string) with the unit that is probably meant.
  static func quantity(_ value: JSONValue, unit: String) -> String? {
    switch value {
    case .number(let number) where !number.isNegative: number.text + unit
    case .string(let text): JSONNumber(text).flatMap { $0.isNegative ? nil : text + unit }
    default: nil
    }
  }
}
