import ArgumentParser

/// What to read: the paths of a command line, and the steps named beside them.
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
    help: ArgumentHelp("A step, where an id is not enough: file.yaml#id.", valueName: "step"), completion: .custom(Completion.steps))
  var steps: [String] = []

  @Option(
    name: .customLong("allow-path"),
    help: ArgumentHelp("A folder outside the project that documents may read from and write to.", valueName: "dir"),
    completion: .directory)
  var allowedPaths: [String] = []
}
