import ArgumentParser

/// The options for what precedes the first request of a run: the checks, the wait for hosts, the embedded server, and the confirmation.
struct SetupOptions: ParsableArguments {
  @Flag(name: .long, help: "Probe all hosts (DNS, TCP, TLS) first, and send nothing if one is down.")
  var preflight = false
  @Option(
    name: .long,
    help: ArgumentHelp("Wait up to this long for hosts to become reachable before the run, such as 60s.", valueName: "duration"))
  var wait: DurationArgument?
  @Flag(name: .long, help: "Start the embedded server and set env.GARLAND_SANDBOX to its URL.") var sandbox = false
  @Flag(name: .long, help: "Treat warnings as errors.") var strict = false
  @Flag(name: .long, help: "Do not ask for confirmation, even if the profile requires it.") var yes = false
}
