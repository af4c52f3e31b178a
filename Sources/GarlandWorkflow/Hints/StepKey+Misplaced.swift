import GarlandDiagnostics
import GarlandYAML

extension StepKey {
  private static let everything = KeyTable<StepKey>("a step", keys: allCases.filter { $0 != .traces })

  /// Returns a diagnostic for a key of a step, such as `expect`, that is indented like the id of a step. Returns nil if the entry can be a
  /// step.
  ///
  /// - Parameters:
  ///   - entry: the entry with the key.
  ///   - step: the step above the entry.
  static func misplaced(_ entry: YAMLMapping.Entry, below step: YAMLMapping.Entry) -> Diagnostic? {
    guard let key = entry.key.withText({ everything.key($0) }) else { return nil }
    if let mapping = entry.value.mapping,
      mapping.entries.contains(where: { inner in
        StepKey(rawValue: inner.name).map { $0 == .extends || StepKey.everyAction.contains($0) } ?? false
      })
    {
      return nil
    }
    return Diagnostic(
      .misplacedKey, "`\(key.rawValue)` is a key of a step, but is indented like the id of a step", at: entry.key.range
    ).help("indent the key like the other keys of `\(Words.excerpt(step.name))`")
  }
}
