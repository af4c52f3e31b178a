import ArgumentParser

/// The input of a command: the paths and the steps that the command line names.
struct PathArguments: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "Workflow files, folders of them, `-` for standard input; and ids of steps.",
      discussion:
        "An argument that names a file or a folder is a path, any other a step; FILE#STEP is both. "
        + "Without a path: the paths of the project, or else garland.yaml.",
      valueName: "path or step"),
    completion: .custom(Completion.pathsAndSteps))
  var arguments: [String] = []

  @OptionGroup(title: "Selection") var steps: StepOptions
  @OptionGroup(title: "Project") var project: ProjectOptions

  /// Returns a copy of these arguments in which each argument of the form `FILE#STEP` is replaced by two arguments: the path `FILE` and the
  /// step `FILE#STEP`. So a user can copy the argument from a report, which shows steps in this form.
  ///
  /// - Parameter isFile: whether there is a file at a path.
  func splittingSteps(isFile: (String) -> Bool) -> PathArguments {
    var split = self
    var others: [String] = []
    for argument in arguments {
      let file = argument.lastIndex(of: "#").map { String(argument[..<$0]) } ?? ""
      guard !file.isEmpty, !isFile(argument), isFile(file) else {
        others.append(argument)
        continue
      }
      if !others.contains(file) { others.append(file) }
      split.steps.names.append(argument)
    }
    split.arguments = others
    return split
  }
}

/// The option that selects steps by their names.
struct StepOptions: ParsableArguments {
  @Option(
    name: .customLong("step"),
    help: ArgumentHelp("A step by its id, or by file.yaml#id.", valueName: "step"), completion: .custom(Completion.steps))
  var names: [String] = []
}

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
