import GarlandDiagnostics
import GarlandYAML

/// A file of another tool, such as the description of an API: it lacks `garland: 1` and `steps`, and has a key that no workflow has.
///
/// No fix would make such a file a workflow, but a fix could damage it for its own tool.
struct ForeignDocument {
  /// Advice on what to do with the file.
  let help: String
  /// Whether `garland import` reads the file, so that no mistake in it matters.
  let isImportable: Bool

  /// Creates the document; nil for a workflow, even if it has mistakes.
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
  /// The diagnostics without fixes for one file.
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
