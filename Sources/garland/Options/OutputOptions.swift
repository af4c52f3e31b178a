import ArgumentParser

/// The choice whether output is coloured.
enum ColorChoice: String, ExpressibleByArgument, CaseIterable {
  case auto, always, never
}

/// The options for the amount and the form of the output.
struct OutputOptions: ParsableArguments {
  @Option(
    name: .customLong("color"),
    help: ArgumentHelp("When to use colours. `auto`: on a terminal, unless NO_COLOR is set.", valueName: "when"))
  var color: ColorChoice = .auto

  @Flag(name: [.customShort("q"), .customLong("quiet")], help: "Show only problems and the summary of a run.")
  var quiet = false

  @Flag(
    name: [.customShort("v"), .customLong("verbose")],
    help: "Show each request and response of a run with timings.")
  var verbose = false

  func validate() throws {
    if quiet && verbose { throw ValidationError("--quiet and --verbose can't be combined.") }
  }
}
