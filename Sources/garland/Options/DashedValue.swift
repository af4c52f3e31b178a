/// A value that begins with a dash, such as `-1`, which the argument parser takes for an option.
enum DashedValue {
  /// Returns advice on how to write a value that begins with a dash; nil if an error of the argument parser has another cause.
  ///
  /// - Parameters:
  ///   - message: the text of the error.
  ///   - words: the command line.
  static func advice(for message: String, words: ArraySlice<String>) -> String? {
    let start = "Missing value for '"
    guard message.hasPrefix(start) else { return nil }
    let option = String(message.dropFirst(start.count).prefix { $0 != " " && $0 != "'" })
    guard let place = words.firstIndex(of: option), let value = words[words.index(after: place)...].first, value.hasPrefix("-"),
      value.dropFirst().first?.isNumber == true
    else { return nil }
    return "for a value that begins with `-`, write `\(option)=\(value)`"
  }
}
