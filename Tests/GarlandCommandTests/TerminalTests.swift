import GarlandSandbox
import Glibc
import TestSupport
import Testing

/// Tests on a terminal that `script` creates: colours, and a cursor that is visible whenever another program uses the terminal.
@Suite(.timeLimit(.minutes(15))) struct TerminalTests {
  private static let hidden = "\u{1B}[?25l"
  private static let shown = "\u{1B}[?25h"

  private func start(
    _ command: String, in folder: TemporaryFolder, environment: [String: String?] = [:]
  ) throws -> ChildProcess {
    var variables: [String: String?] = [
      "CI": nil, "GITHUB_ACTIONS": nil, "NO_COLOR": nil, "TERM": "xterm", "GARLAND": Garland.path, "SHELL": "/bin/sh",
      // A crash must not write a long report.
      "SWIFT_BACKTRACE": "enable=no",
    ]
    variables.merge(environment) { $1 }
    return try ChildProcess("/usr/bin/script", ["-qfec", command, "/dev/null"], environment: variables, in: folder.path)
  }

  @Test func `output to a terminal has colours unless TERM or NO_COLOR disables them`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("bad.yaml", "garland: 1\nsteps: { a: { gte: /x } }\n")
    for (variables, expected) in [
      (["TERM": "xterm"], true), (["TERM": "dumb"], false), (["NO_COLOR": "1"], false), (["NO_COLOR": ""], true),
    ] as [([String: String?], Bool)] {
      let result = try await start("$GARLAND check bad.yaml", in: folder, environment: variables).result
      #expect(result.status == 2)
      #expect(result.outputBytes.contains(0x1B) == expected, "\(variables): \(result.output)")
    }
    let asked = try await start("$GARLAND check bad.yaml --color always", in: folder, environment: ["TERM": "dumb"]).result
    #expect(asked.outputBytes.contains(0x1B))
  }

  private func hanging(_ folder: TemporaryFolder) async throws -> Sandbox {
    let sandbox = try await Sandbox.start()
    try folder.write("w.yaml", "garland: 1\nsteps: { a: { get: \"\(sandbox.url)/fault/hang\" } }\n")
    return sandbox
  }

  private func number(of child: ChildProcess) async throws -> pid_t {
    #expect(await child.sees("pid="))
    #expect(await child.sees(Self.hidden))
    let text = child.soFar.output
    let place = try #require(text.firstRange(of: "pid="))
    return try #require(pid_t(String(text[place.upperBound...].prefix { $0.isNumber })))
  }

  @Test func `Ctrl-Z shows the cursor, and the shell command 'fg' draws the live view again`() async throws {
    let folder = try TemporaryFolder()
    let sandbox = try await hanging(folder)
    // A shell waits for the command, so that stopping the command affects no other process.
    let child = try start("$GARLAND run w.yaml & echo pid=$!; wait", in: folder)
    let process = try await number(of: child)
    kill(process, SIGTSTP)
    #expect(await child.sees(Self.shown))
    kill(process, SIGCONT)
    // The terminal adds a carriage return to the line break.
    #expect(await child.sees("\(Self.shown)\r\r\n\u{1B}[?2026h\(Self.hidden)"))
    kill(process, SIGTERM)
    let output = await child.result.output
    #expect(output.contains("Interrupted by SIGTERM"))
    let last = try #require(output.ranges(of: Self.shown).last)
    #expect(!output[last.upperBound...].contains(Self.hidden))
    await sandbox.stop()
  }

  @Test func `if SIGQUIT ends a run with a live view, the cursor of the terminal is visible afterwards`() async throws {
    let folder = try TemporaryFolder()
    let sandbox = try await hanging(folder)
    let child = try start("ulimit -c 0; echo pid=$$; exec $GARLAND run w.yaml", in: folder)
    kill(try await number(of: child), SIGQUIT)
    let result = await child.result
    #expect(result.status == 131)
    #expect(result.output.contains(Self.shown))
    await sandbox.stop()
  }
}
