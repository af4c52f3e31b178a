import ArgumentParser

/// The input of a command: the paths and the steps that the command line names.
struct PathArguments: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "Workflow files, folders of them, `-` for standard input; and ids of steps.",
      discussion: "An argument that names a file or a folder is a path, any other a step. Without a path: garland.yaml.",
      valueName: "path or step"),
    completion: .custom(Completion.pathsAndSteps))
  var arguments: [String] = []

  @Option(
    name: .customLong("step"),
    help: ArgumentHelp("A step by its id, or by file.yaml#id.", valueName: "step"), completion: .custom(Completion.steps))
  var steps: [String] = []

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
  var project: String?

  @Flag(name: .customLong("no-project"), help: "Use no project file.")
  var noProject = false

  func validate() throws {
    if noProject, project != nil { throw ValidationError("--project and --no-project can't be combined.") }
  }
}
