import ArgumentParser
import FoundationEssentials
import Glibc
import GarlandReports
import GarlandRunner
import GarlandSandbox

struct RunCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Run workflows, or the steps of them that are named and what these need.")

  @OptionGroup var paths: PathArguments
  @OptionGroup var selection: SelectionOptions
  @OptionGroup var values: ValueOptions
  @OptionGroup var output: OutputOptions
  @Option(name: [.customShort("j"), .long], help: "Transfers at once.") var concurrency = 16
  @Option(name: .customLong("per-origin"), help: "Transfers at once to one origin.") var perOrigin = 6
  @Flag(name: .long, help: "One step after another.") var serial = false
  @Option(name: .long, help: "A random valid order, the same for the same seed.") var shuffle: UInt64?
  @Flag(name: .customLong("fail-fast"), help: "Start nothing new after the first failure.") var failFast = false
  @Flag(name: .long, help: "Start the embedded server and set env.GARLAND_SANDBOX to its URL.") var sandbox = false
  @Flag(name: .long, help: "Make warnings errors.") var strict = false
  @Option(name: .long, help: ArgumentHelp("A report: junit=FILE or json=FILE.", valueName: "kind=file")) var report: [String] = []

  func validate() throws {
    if concurrency < 1 || perOrigin < 1 { throw ValidationError("--concurrency and --per-origin must be at least 1.") }
    for name in report where !name.hasPrefix("junit=") && !name.hasPrefix("json=") {
      throw ValidationError("--report wants junit=FILE or json=FILE, found \(name).")
    }
  }

  func run() async throws {
    var environment = ProcessInfo.processInfo.environment
    var server: Sandbox?
    if sandbox {
      let started = try await Sandbox.start()
      server = started
      environment["GARLAND_SANDBOX"] = started.url
    }
    let status = try await carryOut(environment)
    await server?.stop()
    if status != 0 { throw ExitCode(status) }
  }

  private func carryOut(_ environment: [String: String]) async throws -> Int32 {
    var workspace = Workspace(paths, values, output, environment: environment)
    guard let plan = workspace.plan(selection), !(strict && !workspace.diagnostics.isEmpty) else {
      try workspace.showDiagnostics()
      return 2
    }
    var configuration = RunConfiguration(
      environment: environment, workingDirectory: workspace.workingDirectory, files: workspace.files, redactor: workspace.redactor)
    configuration.concurrency = concurrency
    configuration.perOrigin = perOrigin
    configuration.isSerial = serial
    configuration.shuffleSeed = shuffle
    configuration.maxFailures = failFast ? 1 : nil
    configuration.secrets = workspace.secrets
    let pipeline = ReportPipeline(try reporters(workspace, environment))
    configuration.observers = [pipeline]
    let preparation = Run.prepare(plan, configuration)
    workspace.report(preparation.diagnostics)
    try workspace.showDiagnostics()
    guard let run = preparation.run else {
      _ = await pipeline.finish()
      return 2
    }
    TerminalRestoration.prepare()
    let presses = SignalCount()
    let signals = InterruptSignals { signal in
      if presses.next() == 1 {
        run.interrupt(signal: signal.rawValue)
      } else {
        TerminalRestoration.restore()
        run.abort()
      }
    }
    let result = await run.start()
    let problems = await pipeline.finish()
    withExtendedLifetime(signals) {}
    for problem in problems { try CommandOutput.writeAll(Array("error: \(problem)\n".utf8), to: STDERR_FILENO) }
    return result.summary.exitStatus == 0 && !problems.isEmpty ? 4 : result.summary.exitStatus
  }

  private func reporters(_ workspace: Workspace, _ environment: [String: String]) throws -> sending [any Reporter] {
    var options = ConsoleOptions(environment: environment)
    if output.quiet { options.verbosity = .quiet }
    if output.verbose { options.verbosity = .verbose }
    if report.contains(where: { $0.hasSuffix("=-") }) { options.destination = .standardError }
    func console(_ descriptor: Int32) -> ConsoleOutput {
      ConsoleOutput(fileDescriptor: descriptor, output: workspace.stream(descriptor), facts: workspace.facts(of: descriptor))
    }
    let clock = ContinuousClock()
    let start = clock.now
    var reporters: [any Reporter] = [
      ConsoleReporter(
        options: options, standardOutput: console(STDOUT_FILENO), standardError: console(STDERR_FILENO), redactor: workspace.redactor,
        clock: { clock.now - start })
    ]
    let host = ProcessInfo.processInfo.hostName
    for name in report {
      let path = String(name.drop { $0 != "=" }.dropFirst())
      do throws(ReportError) {
        if name.hasPrefix("junit=") {
          reporters.append(try JUnitReporter(path: path, redactor: workspace.redactor, hostname: host))
        } else {
          let options = JSONReporter.Options(generator: "garland \(GarlandVersion.text)", hostname: host)
          reporters.append(try JSONReporter(path: path, redactor: workspace.redactor, options: options))
        }
      } catch {
        throw CommandFailure.local("\(error)")
      }
    }
    return reporters
  }
}
