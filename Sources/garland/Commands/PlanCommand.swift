import ArgumentParser
import GarlandPlanner
import GarlandReports
import GarlandResults
import GarlandRunner

/// The output formats of a plan.
enum PlanFormat: String, CaseIterable, ExpressibleByArgument {
  case text, mermaid, dot, json, svg, html

  /// The format for drawing the plan; nil for the HTML page, which a reporter creates.
  var drawing: DrawingFormat? { DrawingFormat(rawValue: rawValue) }
}

struct PlanCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan",
    abstract: "Show the dependencies of steps, as text or as a drawing. Nothing is sent.",
    discussion: """
      Examples:
        garland plan smoke.yaml
        garland plan smoke.yaml --format svg > plan.svg
        garland plan smoke.yaml --format html > plan.html
        garland plan smoke.yaml --why remove    the steps that `remove` waits for
        garland plan tests/ --stats
        garland plan smoke.yaml --from report.json --critical-path
        garland plan tests/ --shards 5          the steps of each of five shards
      """)

  @OptionGroup var paths: PathArguments
  @OptionGroup(title: "Selection") var selection: SelectionOptions
  @OptionGroup(title: "Values and secrets") var values: ValueOptions
  @OptionGroup(title: "Output") var output: OutputOptions
  @Option(name: .long, help: "The output format.") var format = PlanFormat.text
  @Flag(name: .customLong("all-edges"), help: "With --format svg: also draw the edges that follow from other edges.") var allEdges = false
  @Option(
    name: .long, help: ArgumentHelp("Show the steps that this step waits for, and why.", valueName: "step"),
    completion: .custom(Completion.steps))
  var why: [String] = []
  @Flag(name: .customLong("critical-path"), help: "Show the longest chain: alone as text, or marked in a drawing.") var criticalPath = false
  @Flag(name: .long, help: "Show the numbers of steps and edges, the depth and the width.") var stats = false
  @Option(
    name: .long,
    help: ArgumentHelp(
      "Show how `garland run --shard` divides the steps among this many machines; with --from, by duration.", valueName: "count"))
  var shards: Int?

  @Option(
    name: .long,
    help: ArgumentHelp("Use the durations in the JSON report of an earlier run.", valueName: "report"),
    completion: .file(extensions: ["json"]))
  var from: String?

  func validate() throws {
    if allEdges, format != .svg { throw ValidationError("--all-edges needs --format svg; the page of --format html has a switch for it.") }
    if let shards {
      guard 1...RunShard.most ~= shards else { throw ValidationError("--shards must be from 1 to \(RunShard.most).") }
      guard [.text, .json].contains(format), !stats, why.isEmpty, !criticalPath else {
        throw ValidationError("--shards is text or JSON, and can't be combined with --why, --stats and --critical-path.")
      }
    }
    if format != .text, stats || !why.isEmpty { throw ValidationError("--why and --stats are text: they can't be combined with --format.") }
  }

  func run() throws {
    var workspace = Workspace(paths, values, output, environment: ProcessEnvironment.current)
    let plan = try workspace.plan(selection)
    var texts: [String] = []
    if let plan { texts = self.texts(of: plan, try durations(for: plan, &workspace), &workspace) }
    workspace.showDiagnosticsWithoutWarnings()
    guard plan != nil else { return try workspace.explainEmptyPlan() }
    guard !workspace.diagnostics.hasErrors else { throw ExitCode(2) }
    let whole = texts.map { $0.hasSuffix("\n") ? $0 : $0 + "\n" }.joined(separator: "\n")
    // Files that are drawn are always UTF-8.
    try workspace.show(format == .text ? ConsoleOptions(environment: workspace.environment).drawn(whole) : whole)
  }

  private func durations(for plan: Plan, _ workspace: inout Workspace) throws -> PastDurations? {
    guard let from else { return nil }
    return try workspace.pastDurations(from, for: plan)
  }

  private func texts(of plan: Plan, _ durations: PastDurations?, _ workspace: inout Workspace) -> [String] {
    let measured = durations?.durations(of: plan)
    if let shards {
      let listing = ShardListing(plan, into: shards, past: durations, redactor: workspace.redactor)
      return [format == .json ? listing.json : listing.text(showsSteps: !output.quiet)]
    }
    var texts: [String] = []
    for name in why {
      let found = plan.steps(named: [name])
      if found.isEmpty { workspace.report(plan.unknownStep(named: name)) }
      texts += found.map { plan.why($0) }
    }
    if criticalPath, format == .text { texts.append(plan.criticalPathText(durations: measured)) }
    if stats { texts.append(plan.statisticsText(durations: measured)) }
    guard texts.isEmpty else { return texts }
    let redactor = workspace.redactor
    guard let drawing = format.drawing else { return [page(of: plan, durations, workspace)] }
    var options = DrawingOptions(durations: durations?.durations(of: plan), marksCriticalPath: criticalPath) { redactor.redact($0) }
    options.showsAllEdges = allEdges
    options.outcomes = durations?.ends(of: plan).map { end in
      end.flatMap { $0.isFlaky ? .flaky : $0.isAllowed ? .allowed : StepOutcome(rawValue: $0.outcome.rawValue) }
    }
    return [plan.drawing(drawing, options)]
  }

  private func page(of plan: Plan, _ past: PastDurations?, _ workspace: Workspace) -> String {
    let ends = past?.ends(of: plan) ?? []
    let durations = past?.durations(of: plan) ?? []
    let known = ends.indices.map { index in
      ends[index].map { end in
        PlanPage.Past(
          end.outcome, .microseconds(Int64((durations[index] ?? 0) * 1_000_000)), isFailureAllowed: end.isAllowed, isFlaky: end.isFlaky)
      }
    }
    return PlanPage.text(
      of: RunStart(of: plan), past: known, redactor: workspace.redactor, generator: "garland \(GarlandVersion.text)")
  }
}
