import ArgumentParser
import GarlandReports

/// The options for the results of a run: its reports, the shown parts of exchanges, and the printed values.
struct ResultOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ReportOption.help("A report"), completion: .custom(Completion.reports), transform: ReportOption.init(parsing:))
  var report: [ReportOption] = []
  @Option(
    name: .customLong("report-bodies"),
    help: ArgumentHelp(
      "Keep the bodies of failed steps, or of all steps, in reports. Default: of all steps with an HTML report or a HAR.",
      valueName: "whose"))
  var reportBodies: ReportBodies?
  @Option(
    name: .long,
    help: ArgumentHelp(
      "Show this part of each exchange. Default for named steps: only the body of the last step.", valueName: "what"))
  var show: ConsoleOptions.Show?
  @Option(
    name: .long,
    help: ArgumentHelp(
      "Print only this value on standard output, secrets included, such as --print '${login.token}'.", valueName: "expression"))
  var print: [String] = []

  /// The steps whose bodies the reports contain: all steps, or only the steps that did not pass.
  var keptBodies: ReportBodies { reportBodies ?? (report.contains { $0.format.keepsAllBodies } ? .all : .failed) }
}
