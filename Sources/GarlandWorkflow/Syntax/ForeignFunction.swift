/// Translates the generated values of other tools, such as Postman's `{{$randomEmail}}`, to Garland's expressions.
package enum ForeignFunction {
  /// Returns Garland's expression for another tool's placeholder that generates a value, such as `$guid`. Returns nil if Garland cannot
  /// generate such a value, or does not support the given arguments.
  ///
  /// - Parameter name: The name in the placeholder with its arguments, such as `$guid`, or `$randomInt 1 10` of the REST Client.
  package static func expression(_ name: String) -> String? {
    let words = name.split(separator: " ").map(String.init)
    guard let function = words.first else { return nil }
    let arguments = words.dropFirst()
    switch function {
    case "$timestamp": return time(after: arguments).map { "\($0) | date('%s')" }
    case "$datetime": return arguments.first == "iso8601" ? time(after: arguments.dropFirst()) : nil
    case "$randomInt":
      // Postman's range includes both ends, as `random` does. The REST Client excludes the upper limit, and needs a lower limit below it.
      if arguments.isEmpty { return "random(0, 1000)" }
      guard words.count == 3, let least = integer(words[1]), let end = integer(words[2]), least < end else { return nil }
      return "random(\(least), \(end - 1))"
    case "$processEnv", "$dotenv": return words.count == 2 && ReservedNames.isName(words[1]) ? "env.\(words[1])" : nil
    default: return arguments.isEmpty ? plainExpression(function) : nil
    }
  }

  /// Returns Garland's expression for a value that another tool generates without arguments, such as `$guid`. Returns nil if Garland cannot
  /// generate such a value.
  private static func plainExpression(_ name: String) -> String? {
    switch name {
    case "$guid", "$randomUUID", "$uuid", "$random.uuid", "newUuid", "uuid": "uuid()"
    case "$isoTimestamp": "now()"
    case "$randomBoolean": "random(0, 1) == 1"
    case "$randomEmail", "$randomExampleEmail", "$random.email": "fake_email()"
    case "$randomFullName": "fake_name()"
    case "$randomWord", "$randomLoremWord": "fake_words(1)"
    case "$randomWords", "$randomLoremWords": "fake_words(3)"
    default: nil
    }
  }

  /// Returns Garland's expression for the current time plus an offset. The offset has the syntax of the REST Client, such as `-1 d`, or is
  /// empty. Returns nil if Garland does not support the offset, such as an offset in years.
  private static func time(after offset: ArraySlice<String>) -> String? {
    if offset.isEmpty { return "now()" }
    guard offset.count == 2, let amount = offset.first.flatMap(integer), let unit = offset.last,
      Duration(workflowText: "\(amount.magnitude)\(unit)") != nil
    else { return nil }
    return "now() | add('\(amount)\(unit)')"
  }

  /// Returns the integer that a word represents. Returns nil for a word that is not an integer, and for an integer with a `+` sign, since
  /// the VS Code extension REST Client does not accept this sign.
  private static func integer(_ word: String) -> Int? { word.hasPrefix("+") ? nil : Int(word) }
}
