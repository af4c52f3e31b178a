import ArgumentParser

/// The option that selects the steps that failed in an earlier run.
struct FailedStepOptions: ParsableArguments {
  @Option(
    name: .customLong("failed-from"),
    help: ArgumentHelp("Run the steps that did not pass in this JSON report, and their dependencies.", valueName: "report"),
    completion: .file(extensions: ["json"]))
  var report: String?
}
