import ArgumentParser

/// When to write colours.
enum ColorChoice: String, ExpressibleByArgument, CaseIterable {
  case auto, always, never
}

/// How much to say, and how.
struct OutputOptions: ParsableArguments {
  @Option(
    name: .customLong("color"),
    help: ArgumentHelp("When to use colours; `auto` is on a terminal, unless NO_COLOR is set.", valueName: "when"))
  var color: ColorChoice = .auto

  @Flag(name: [.customShort("q"), .customLong("quiet")], help: "Say less: only what went wrong, and of a run the summary.")
  var quiet = false

  @Flag(
    name: [.customShort("v"), .customLong("verbose")],
    help: "Say more: of a run every request and response, with the times of their phases.")
  var verbose = false

  func validate() throws {
    if quiet && verbose { throw ValidationError("--quiet and --verbose contradict each other.") }
  }
}
