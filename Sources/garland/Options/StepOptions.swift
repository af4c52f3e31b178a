import ArgumentParser

/// The option that selects steps by their names.
struct StepOptions: ParsableArguments {
  @Option(
    name: .customLong("step"),
    help: ArgumentHelp("A step by its id, or by file.yaml#id.", valueName: "step"), completion: .custom(Completion.steps))
  var names: [String] = []
}
