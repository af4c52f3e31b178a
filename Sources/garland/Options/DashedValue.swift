/// Recognises a value that the argument parser would read as an option, because the value begins with a dash, such as `-1`.
enum DashedValue {
  /// Returns advice on how to write the value of an option if the value begins with a dash, such as `-1`. Returns nil if the error of the
  /// argument parser has another cause.
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
