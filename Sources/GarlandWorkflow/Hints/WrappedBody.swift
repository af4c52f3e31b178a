import GarlandDiagnostics
import GarlandYAML

/// A body that is written as in other tools, with its kind inside `body`, such as `body: { json: { a: 1 } }` or Postman's `body: { mode:
/// raw, raw: TEXT }`. In Garland, the kind is the key of the step.
struct WrappedBody {
  let help: String
  /// The fix that replaces the key `body` with the step key for this kind of body, such as `json`. Nil if `body` contains any key except
  /// the key of the kind and a `mode` with the name of the kind. Also nil if an alias prevents the fix.
  let fix: Diagnostic.Fix?

  /// Recognises a body that is written as in other tools, with its kind as a key inside `body:`. Returns nil if no key of the mapping is
  /// a kind of body.
  ///
  /// - Parameters:
  ///   - node: the value of `body:`.
  ///   - key: the source range of the key `body`.
  init?(in node: YAMLNode, of key: SourceRange) {
    guard let mapping = node.mapping, !node.isAlias else { return nil }
    let mode = mapping["mode"]?.scalar?.text
    let kinds = mapping.entries.filter { Self.key(of: $0) != nil }
    guard let entry = kinds.first(where: { $0.name == mode }) ?? kinds.first, let name = Self.key(of: entry) else { return nil }
    let isText = name == StepKey.body.rawValue
    help = isText ? "write the text itself: `body: TEXT`" : "`\(name)` is a key of the step: write it in place of `body`"
    let isWhole = kinds.count == 1 && mapping.entries.allSatisfy { $0.name == entry.name || ($0.name == "mode" && mode == entry.name) }
    guard isWhole, !entry.value.isAlias, key.file === node.range.file, entry.value.range.file === key.file else {
      fix = nil
      return
    }
    let whole = SourceRange(key.file, key.offsets.lowerBound..<node.range.offsets.upperBound)
    let value = SourceRange(key.file, entry.key.range.offsets.upperBound..<entry.value.range.offsets.upperBound)
    fix = .init(whole, YAMLQuoting.key(name, inPlaceOf: key.text) + value.text)
  }

  /// Returns the step key that corresponds to an entry within `body:`, such as `form` for `urlencoded`. Returns nil if the entry does not
  /// describe a body.
  private static func key(of entry: YAMLMapping.Entry) -> String? {
    switch entry.name {
    case "json", "form", "multipart", "graphql", "plist": entry.value.isNull ? nil : entry.name
    case "text", "raw", "string": entry.value.isScalar && !entry.value.isNull ? StepKey.body.rawValue : nil
    case "urlencoded": entry.value.mapping == nil ? nil : StepKey.form.rawValue
    case "formdata": entry.value.mapping == nil ? nil : StepKey.multipart.rawValue
    default: nil
    }
  }
}
