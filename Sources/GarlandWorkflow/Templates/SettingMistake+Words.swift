import GarlandJSON

extension SettingMistake {
  /// "expected … , found …".
  static func unexpected(_ value: JSONValue, instead expectation: String, suggestion: String? = nil) -> SettingMistake {
    SettingMistake("expected \(expectation), found \(Words.found(value))", suggestion: suggestion)
  }

  /// A bare number (also as a string) with the unit that is probably meant.
  static func quantity(_ value: JSONValue, unit: String) -> String? {
    let number: JSONNumber? =
      switch value {
      case .number(let number): number
      case .string(let text): JSONNumber(text)
      default: nil
      }
    guard let number, !number.isNegative else { return nil }
    // Tools that take milliseconds have thousands of them.
    return number.text + (unit == "s" && (number.intValue ?? 0) >= 1000 ? "ms" : unit)
  }
}
