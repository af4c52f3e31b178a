public import GarlandDiagnostics
import GarlandYAML

extension WorkflowDecoder {
  /// Everything that is wrong with a project by itself. Names that documents may bring, such as a variable of theirs, are looked for where a document uses them.
  ///
  /// - Parameters:
  ///   - project: what ``ProjectFinder`` has found.
  ///   - options: how documents of the project are decoded.
  public static func check(_ project: Project, options: Options) -> DiagnosticList {
    var result = project.diagnostics
    guard let root = project.root, !result.hasErrors else { return result }
    let decoder = DocumentDecoder(project.file, directory: project.directory, options: options)
    _ = decoder.decode(root.with(YAMLMapping(of: [])))
    for diagnostic in decoder.diagnostics.all where diagnostic.code != .undefinedName { result.report(diagnostic) }
    options.library.add(profiles: decoder.knownProfiles)
    return result
  }
}
