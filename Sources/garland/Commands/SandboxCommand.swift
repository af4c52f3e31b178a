import ArgumentParser
import Glibc
import GarlandSandbox

struct SandboxCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sandbox",
    abstract: "Run the embedded server in the foreground, on loopback, until Ctrl-C.",
    discussion: """
      Examples:
        garland sandbox
        curl http://127.0.0.1:8080/       lists its endpoints
        garland sandbox --port 0          a free port
        GARLAND_SANDBOX=http://127.0.0.1:8080 garland run garland.yaml

      The URL of the server is the first line on standard output.
      """)

  static let defaultPort = 8080

  @Option(name: [.customShort("p"), .long], help: "The port; 0 takes a free one.") var port = Self.defaultPort

  func run() async throws {
    let sandbox: Sandbox
    do {
      sandbox = try await Sandbox.start(port: port)
    } catch {
      throw CommandFailure.usage("\(error)")
    }
    try Terminal(.never, environment: [:]).remark("\(sandbox.url)\n")
    let (signals, continuation) = AsyncStream.makeStream(of: InterruptSignals.Signal.self)
    let watcher = InterruptSignals { continuation.yield($0) }
    defer { withExtendedLifetime(watcher) {} }
    for await signal in signals {
      await sandbox.stop()
      throw ExitCode(signal.exitStatus)
    }
  }
}
