/// The generated values of other tools, such as Postman's `{{$randomEmail}}`, that have a counterpart in Garland.
package enum ForeignFunction {
  /// Returns Garland's expression for a generated value; nil if there is none.
  ///
  /// - Parameter name: The name with its arguments, such as `$guid`, or `$randomInt 1 10` of the REST Client.
  package static func expression(_ name: String) -> String? {
    let words = name.split(separator: " ").map(String.init)
    switch words.first {
    case "$guid", "$randomUUID", "$uuid", "$random.uuid", "newUuid", "uuid": return "uuid()"
    case "$timestamp": return "now() | date('%s')"
    case "$isoTimestamp": return "now()"
    case "$datetime": return words.dropFirst().first == "iso8601" ? "now()" : nil
    case "$randomInt":
      guard words.count == 3, let least = Int(words[1]), let greatest = Int(words[2]) else { return "random(0, 1000)" }
      return "random(\(least), \(greatest))"
    case "$randomBoolean": return "random(0, 1) == 1"
    case "$randomEmail", "$randomExampleEmail", "$random.email": return "fake_email()"
    case "$randomFullName": return "fake_name()"
    case "$randomWord", "$randomLoremWord": return "fake_words(1)"
    case "$randomWords", "$randomLoremWords": return "fake_words(3)"
    case "$processEnv", "$dotenv": return words.count == 2 ? "env.\(words[1])" : nil
    default: return nil
    }
  }
}
