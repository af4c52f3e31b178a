import ArgumentParser

/// Which steps, by what they are rather than by name. What these depend on, and its cleanup, runs as well.
struct SelectionOptions: ParsableArguments {
  @Option(name: .customLong("tag"), help: ArgumentHelp("Steps with this tag.", valueName: "tag"), completion: .custom(Completion.tags))
  var tags: [String] = []

  @Option(
    name: .customLong("only"), help: ArgumentHelp("Steps whose id matches, with * and ?.", valueName: "pattern"),
    completion: .custom(Completion.steps))
  var only: [String] = []

  @Option(
    name: .customLong("skip"),
    help: ArgumentHelp("Leave out steps whose id matches, and what depends on them.", valueName: "pattern"),
    completion: .custom(Completion.steps))
  var skip: [String] = []

  @Option(
    name: .customLong("changed-since"),
    help: ArgumentHelp(
      "Steps that what changed since this git revision can affect: of changed files, or using one, and all that depend on them.",
      valueName: "revision"))
  var changedSince: String?
}
