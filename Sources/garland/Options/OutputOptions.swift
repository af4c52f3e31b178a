import ArgumentParser

/// Whether output is coloured.
enum ColorChoice: String, ExpressibleByArgument, CaseIterable {
  case auto, always, never
}

/// The amount and the form of the output.
struct OutputOptions: ParsableArguments {
  @Option(
    name: .customLong("color"),
    help: ArgumentHelp("When to use colours; `auto` is on a terminal, unless NO_COLOR is set.", valueName: "when"))
  var color: ColorChoice = .auto

  @Flag(name: [.customShort("q"), .customLong("quiet")], help: "Show less: only problems, and the summary of a run.")
  var quiet = false

  @Flag(
    name: [.customShort("v"), .customLong("verbose")],
    help: "Say more: of a run every request and response, with the times of their phases.")
  var verbose = false

  func validate() throws {
    if quiet && verbose { throw ValidationError("--quiet and --verbose contradict each other.") }
  }
}
