import Glibc
import TestSupport
import Testing

@Suite("Programs that tests run", .timeLimit(.minutes(15)))
struct ChildProcessTests {
  @Test func `the outputs and the exit status of a child process are returned`() async throws {
    let result = try await ChildProcess.run("/bin/sh", ["-c", "echo out; echo err >&2; exit 3"])
    #expect(result.status == 3)
    #expect(result.output == "out\n")
    #expect(result.error == "err\n")
  }

  @Test func `input that is larger than the buffer of a pipe reaches the child process`() async throws {
    let input = (0..<300_000).map { UInt8(truncatingIfNeeded: $0) }
    let result = try await ChildProcess.run("/bin/cat", [], input: input)
    #expect(result.outputBytes == input)
  }

  @Test func `ChildProcess.run reports no error if the child process does not read its input`() async throws {
    let result = try await ChildProcess.run("/bin/true", [], input: [UInt8](repeating: 0, count: 1_000_000))
    #expect(result.status == 0)
  }

  @Test func `a child process runs in the given folder and with the given environment`() async throws {
    let folder = try TemporaryFolder()
    let result = try await ChildProcess.run(
      "/bin/sh", ["-c", "pwd; echo $NEW; echo ${HOME-none}"], environment: ["NEW": "value", "HOME": nil], in: folder.path)
    #expect(result.output == "\(folder.path)\nvalue\nnone\n")
  }

  @Test func `a child process receives the signal that a test sends to it`() async throws {
    let child = try ChildProcess("/bin/sh", ["-c", "trap 'echo caught; exit 7' INT; echo ready; while :; do sleep 0.01; done"])
    #expect(await child.sees("ready"))
    child.signal(SIGINT)
    #expect(await child.result.status == 7)
    #expect(await child.sees("caught"))
    #expect(await child.sees("never") == false)
    let killed = try ChildProcess("/bin/sleep", ["60"])
    killed.signal(SIGTERM)
    #expect(await killed.result.status == 128 + SIGTERM)
  }

  @Test func `a child process inherits no file descriptor except its standard streams`() async throws {
    let descriptor = dup(STDIN_FILENO)
    defer { close(descriptor) }
    let result = try await ChildProcess.run("/bin/ls", ["/proc/self/fd"])
    // The three streams, and the folder that is being listed.
    #expect(result.output.split(separator: "\n").count == 4)
  }

  @Test func `a cancelled test kills its child process`() async throws {
    let child = try ChildProcess("/bin/sleep", ["60"])
    let waiting = Task { await child.result.status }
    waiting.cancel()
    #expect(await waiting.value == 128 + SIGKILL)
  }

  @Test func `forty child processes that run at the same time each return their own output`() async throws {
    let outputs = try await withThrowingTaskGroup(of: String.self) { group in
      for number in 0..<40 { group.addTask { try await ChildProcess.run("/bin/echo", ["\(number)"]).output } }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(outputs.count == 40)
  }

  @Test func `if a program does not exist, starting it throws an error`() async {
    await #expect(throws: ChildProcess.StartError.self) { try await ChildProcess.run("/no/such/program", []) }
  }
}
