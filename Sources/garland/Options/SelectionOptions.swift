import ArgumentParser

/// The options that select steps by their properties instead of by name. The steps that these depend on, and their cleanups, run as well.
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
      "Only steps affected by changes since this git revision, and their dependents.",
      valueName: "revision"))
  var changedSince: String?
}
