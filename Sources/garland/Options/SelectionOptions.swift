import ArgumentParser

/// The options that select steps by their properties instead of by name. The steps on which the selected steps depend, and their cleanups,
/// run as well.
struct SelectionOptions: ParsableArguments {
  @Option(name: .customLong("tag"), help: ArgumentHelp("Only steps with this tag.", valueName: "tag"), completion: .custom(Completion.tags))
  var tags: [String] = []

  @Option(
    name: .customLong("only"), help: ArgumentHelp("Only steps whose id matches; * and ? are wildcards.", valueName: "pattern"),
    completion: .custom(Completion.steps))
  var only: [String] = []

  @Option(
    name: .customLong("skip"),
    help: ArgumentHelp("Leave out steps whose id matches, and their dependents.", valueName: "pattern"),
    completion: .custom(Completion.steps))
  var skip: [String] = []

  @Option(
    name: .customLong("changed-since"),
    help: ArgumentHelp(
      "Only steps affected by changes since this git revision, and their dependents.",
      valueName: "revision"))
  var changedSince: String?
}
