import GarlandDiagnostics
import GarlandYAML

/// A file in the format of another tool, such as an API description. It has neither `garland: 1` nor `steps`, but a key that no workflow
/// contains.
///
/// Diagnostics about such a file have no fixes: no fix would make the file a workflow, but a fix could make the file unusable for the other
/// tool.
struct ForeignDocument {
  /// Advice on how to use the file with Garland, such as `garland import`.
  let help: String
  /// Whether `garland import` can read the file. If true, only the advice to import the file is reported; mistakes in the file are ignored.
  let isImportable: Bool

  /// Recognises a file of another tool. Returns nil for a workflow, even for one with mistakes.
  init?(_ mapping: YAMLMapping) {
    func isNear(_ name: String, _ keys: [String]) -> Bool {
      keys.contains(name) || Suggestion.nearest(to: name, in: keys) != nil || !KeyAliases.keys(for: name, among: keys).isEmpty
    }
    let entries = mapping.entries
    let names = RootKey.table.names
    guard !entries.contains(where: { isNear($0.name, [RootKey.garland.rawValue]) }), mapping[RootKey.steps.rawValue]?.mapping == nil,
      entries.contains(where: { !isNear($0.name, names) })
    else { return nil }
    let isCollection = mapping["info"] != nil && mapping["item"]?.sequence != nil
    let isRecording = mapping["log"]?.mapping?["entries"] != nil
    isImportable = isCollection || isRecording
    help = isImportable ? "import it with `garland import`" : "a workflow begins with `garland: 1`"
  }
}

extension DiagnosticList {
  /// Returns the diagnostics without the fixes that would change `file`.
  func withoutFixes(of file: SourceFile) -> DiagnosticList {
    var result = DiagnosticList()
    for var diagnostic in all {
      for index in diagnostic.helps.indices where diagnostic.helps[index].fix?.range.file.name == file.name {
        diagnostic.helps[index].fix = nil
      }
      result.report(diagnostic)
    }
    return result
  }
}
