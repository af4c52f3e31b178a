import GarlandDiagnostics
import GarlandJSON
import GarlandYAML

/// Replaces an entry in the syntax of another tool with the equivalent entry of Garland, if Garland has one for this key and value. For
/// example, `insecure: true` becomes `tls: { verify: false }`.
enum RewrittenEntry {
  /// Returns a fix that replaces an entry in the syntax of another tool with Garland's entry. Returns nil if no entry of Garland has
  /// exactly the same meaning, or if the mapping already contains the key of Garland's entry.
  static func fix(_ entry: YAMLMapping.Entry, in mapping: YAMLMapping, names: [String]) -> Diagnostic.Fix? {
    guard !entry.value.isAlias, let scalar = entry.value.scalar, !scalar.isNull, !entry.value.range.offsets.isEmpty,
      let (key, value) = rewritten(KeyAliases.snake(entry.name), TemplateCompiler.constant(scalar)), names.contains(key),
      // The delay of a step is constant, the delay of `retry` grows.
      mapping[key] == nil, !names.contains(RetryKey.factor.rawValue)
    else { return nil }
    let whole = SourceRange(entry.key.range.file, entry.key.range.offsets.lowerBound..<entry.value.range.offsets.upperBound)
    return Diagnostic.Fix(whole, "\(key): \(value)")
  }

  private static func rewritten(_ name: String, _ value: JSONValue) -> (key: String, value: String)? {
    switch (name, value) {
    case ("insecure", .bool(true)), ("skip_tls_verify", .bool(true)), ("insecure_skip_verify", .bool(true)),
      ("ignore_verify_ssl", .bool(true)), ("verify", .bool(false)), ("verify_ssl", .bool(false)), ("ssl_verify", .bool(false)),
      ("validate_certs", .bool(false)), ("reject_unauthorized", .bool(false)), ("strict_ssl", .bool(false)):
      ("tls", "{ verify: false }")
    case ("follow_redirects", .bool(let follows)), ("follow_redirect", .bool(let follows)), ("allow_redirects", .bool(let follows)):
      ("redirect", "\(follows)")
    case ("max_redirects", .number(let count)), ("max_redirs", .number(let count)), ("maxredirs", .number(let count)):
      ("redirect", "{ max: \(count.text) }")
    case ("skip", .bool(true)), ("disabled", .bool(true)), ("enabled", .bool(false)): ("when", "false")
    case ("status", .number(let code)), ("status_code", .number(let code)), ("expect_status", .number(let code)),
      ("expected_status", .number(let code)), ("code", .number(let code)):
      (try? StatusPattern.read(value)) == nil ? nil : ("expect", "{ status: \(code.text) }")
    case ("sleep", .number(let seconds)), ("wait", .number(let seconds)), ("pause", .number(let seconds)):
      seconds.isNegative || (seconds.intValue ?? 0) >= 100 ? nil : ("delay", "\(seconds.text)s")
    case ("sleep", .string(let text)), ("wait", .string(let text)), ("pause", .string(let text)):
      Duration(workflowText: text) == nil ? nil : ("delay", text)
    case ("timeout_minutes", .number(let minutes)): minutes.isNegative ? nil : ("deadline", "\(minutes.text)m")
    case ("repeat", .number(let count)), ("times", .number(let count)), ("iterations", .number(let count)):
      (count.intValue ?? 0) > 0 ? ("for_each", "\"${\(count.text) | range}\"") : nil
    case ("cookie", .string(let text)): cookies(text).map { ("cookies", $0) }
    default: nil
    }
  }

  /// Returns the value of a `Cookie` field as a mapping, such as `{ a: b }` for `a=b`; nil for a value of another form. A mapping is
  /// needed, since the key `cookies:` would read the text `a=b` as the name of a cookie file.
  private static func cookies(_ field: String) -> String? {
    var entries: [String] = []
    for pair in field.split(separator: ";", omittingEmptySubsequences: false) {
      let sides = pair.trimmingPrefix { $0 == " " }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard sides.count == 2, !sides[0].isEmpty, sides[0].allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" })
      else { return nil }
      entries.append("\(YAMLQuoting.scalar(String(sides[0]))): \(YAMLQuoting.scalar(String(sides[1])))")
    }
    return "{ \(entries.joined(separator: ", ")) }"
  }
}
