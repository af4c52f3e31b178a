public import GarlandDiagnostics
import GarlandYAML

extension WorkflowDecoder {
  /// Returns all mistakes that can be found in a project file alone. Names that documents may define, such as variables, are checked when a
  /// document uses the project.
  ///
  /// - Parameters:
  ///   - project: the project, which a ``ProjectFinder`` has found.
  ///   - options: the options for documents of the project.
  public static func check(_ project: Project, options: Options) -> DiagnosticList {
    var result = project.diagnostics
    guard let root = project.root, !result.hasErrors else { return result }
    let decoder = DocumentDecoder(project.file, directory: project.directory, options: options)
    _ = decoder.decode(root.with(YAMLMapping(of: [])))
    for diagnostic in decoder.diagnostics.all where diagnostic.code != .undefinedName { result.report(diagnostic) }
    options.library.add(profiles: decoder.profiles.known, of: project.file.name)
    return result
  }
}
