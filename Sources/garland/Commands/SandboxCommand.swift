import ArgumentParser
import Glibc
import GarlandSandbox

struct SandboxCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sandbox", abstract: "Run the embedded server in the foreground, on loopback, until Ctrl-C.")

  @Option(name: [.customShort("p"), .long], help: "The port; 0 takes a free one.") var port = 8080

  func run() async throws {
    let sandbox: Sandbox
    do {
      sandbox = try await Sandbox.start(port: port)
    } catch {
      throw CommandFailure.usage("\(error)")
    }
    try CommandOutput.writeAll(Array("\(sandbox.url)\n".utf8), to: STDOUT_FILENO)
    let (signals, continuation) = AsyncStream.makeStream(of: InterruptSignals.Signal.self)
    let watcher = InterruptSignals { continuation.yield($0) }
    defer { withExtendedLifetime(watcher) {} }
    for await signal in signals {
      await sandbox.stop()
      throw ExitCode(signal.exitStatus)
    }
  }
}
