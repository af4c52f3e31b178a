import ArgumentParser
import GarlandDiagnostics
import GarlandJSON
import GarlandTransfer
import Glibc

struct ReachCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reach",
    abstract: "Check whether hosts are reachable, and show the time of each phase.",
    discussion: """
      Examples:
        garland reach https://example.com/health      name, TCP, TLS, HTTP
        garland reach db:5432 http://app:8080 --wait 60s
        garland reach https://example.com --watch     a line for each change

      Exit status:
        0  all hosts are reachable
        3  a host is not reachable
      """)

  @Argument(help: ArgumentHelp("URLs, or HOST:PORT; an IPv6 address in brackets.", valueName: "url or host:port"))
  var targets: [String]
  @Option(name: .long, help: ArgumentHelp("Wait up to this long for all hosts to become reachable, such as 60s.", valueName: "duration"))
  var wait: DurationArgument?
  @Flag(name: .long, help: "Keep checking until Ctrl-C, and print a line for each change.") var watch = false
  @Option(name: .long, help: ArgumentHelp("The interval of --watch. Default: 1s.", valueName: "duration")) var interval: DurationArgument?
  @Option(name: .long, help: ArgumentHelp("The time limit of each attempt. Default: 10s.", valueName: "duration"))
  var timeout: DurationArgument?
  @Option(
    name: .long, help: ArgumentHelp("A PEM file of certificates to trust instead of the system's.", valueName: "file"),
    completion: .file(extensions: ["pem", "crt"]))
  var ca: String?
  @Flag(name: .long, help: "Print JSON: an array, or with --watch one object a line.") var json = false
  @OptionGroup(title: "Output") var output: OutputOptions

  func validate() throws {
    if targets.isEmpty { throw ValidationError("Name a URL or HOST:PORT.") }
    if watch, wait != nil { throw ValidationError("--watch and --wait can't be combined.") }
    if interval != nil, !watch { throw ValidationError("--interval needs --watch.") }
  }

  func run() async throws {
    let workspace = try Workspace(PathArguments.parse([]), ValueOptions.parse([]), output, environment: ProcessEnvironment.current)
    var probe = ReachabilityProbe(limit: timeout?.duration ?? .seconds(10))
    probe.settings.proxy = .environment(ProxyEnvironment(workspace.environment))
    if let ca {
      guard access(ca, R_OK) == 0 else { throw CommandFailure.local("\(ca): \(String(cString: strerror(errno)))") }
      probe.settings.tls.authorities = ca
    }
    let targets = try targets.map { text throws(CommandFailure) in
      do throws(ProbeTargetError) { return try ProbeTarget(text) } catch { throw .usage("\(error)") }
    }
    if watch { throw ExitCode(await watch(targets, probe, workspace)) }
    let waiting = ReachabilityWait(probe: probe, limit: wait?.duration ?? .zero)
    let (reports, signal) = await Lookout(workspace, isQuiet: output.quiet).carryOut { onFailure in
      await waiting.run(targets, onFailure: onFailure)
    }
    if let signal { throw ExitCode(signal.exitStatus) }
    if json {
      try workspace.show(JSONValue.array(reports.map(ProbeTable.json)).jsonText(options: .pretty) + "\n")
    } else {
      try workspace.show(ProbeTable.text(reports))
    }
    if reports.contains(where: { !$0.isReachable }) { throw ExitCode(3) }
  }

  /// Probes each target repeatedly until a signal arrives. The targets are probed independently of each other. Returns the exit status for
  /// the signal.
  private func watch(_ targets: [ProbeTarget], _ probe: ReachabilityProbe, _ workspace: Workspace) async -> Int32 {
    let pause = interval?.duration ?? .seconds(1)
    let isJSON = json
    let (_, signal) = await Lookout(workspace, isQuiet: true).carryOut { _ in
      await withTaskGroup(of: Void.self) { group in
        for target in targets {
          group.addTask {
            var last: String?
            while !Task.isCancelled {
              let report = await probe.run(target)
              if Task.isCancelled { return }
              if report.summary != last {
                last = report.summary
                let line: StyledText = isJSON ? StyledText(ProbeTable.json(report).jsonText() + "\n") : Self.line(report)
                // If the reader of the output has closed it, the command ends.
                guard workspace.terminal.reaches(line) else { return }
              }
              try? await Task.sleep(for: pause, clock: .continuous)
            }
          }
        }
      }
    }
    return signal?.exitStatus ?? 4
  }

  private static func line(_ report: ProbeReport) -> StyledText {
    var clock = Glibc.time(nil)
    var parts = tm()
    localtime_r(&clock, &parts)
    let time = [parts.tm_hour, parts.tm_min, parts.tm_sec].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    let mark = report.isReachable ? StyledText("up", .success) : StyledText("down", .failure)
    return "\(time, .dim)  \(mark.padded(to: 4))  \(report.target.description, .url)  \(DisplayText.visible(report.summary))\n"
  }
}
