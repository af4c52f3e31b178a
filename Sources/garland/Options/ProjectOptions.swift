import ArgumentParser

/// The options for the project file, and for the folders that documents may use.
struct ProjectOptions: ParsableArguments {
  @Option(
    name: .customLong("allow-path"),
    help: ArgumentHelp("A folder outside the project that documents may read from and write to.", valueName: "dir"),
    completion: .directory)
  var allowedPaths: [String] = []

  @Option(
    name: .customLong("project"),
    help: ArgumentHelp(
      "The project file that documents start from. Default: `garland.project.yaml` in a document's folder or the nearest folder above it.",
      valueName: "file"), completion: .file(extensions: ["yaml", "yml"]))
  var file: String?

  @Flag(name: .customLong("no-project"), help: "Use no project file.")
  var noProject = false

  func validate() throws {
    if noProject, file != nil { throw ValidationError("--project and --no-project can't be combined.") }
  }
}
