import GarlandSandbox
import Glibc
import TestSupport
import Testing

/// Tests of printing the body of a named step to standard output: either the whole body or nothing.
@Suite(.timeLimit(.minutes(15)), .serialized) struct BodyOutputTests {
  @Test func `a response body of 200 MB is printed with less than 64 MB of memory`() async throws {
    let server = try NginxServer.shared()
    let folder = try TemporaryFolder()
    try folder.write("w.yaml", "garland: 1\nsteps: { big: { get: \"\(server.url)/files/big.bin\", max_body: 300MB } }\n")
    let script = """
      import os, resource, subprocess, sys
      with open("out.bin", "wb") as out:
        status = subprocess.call([sys.argv[1], "run", "w.yaml", "big"], stdout=out)
      print("peak", resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
      sys.exit(status)
      """
    let result = try await ChildProcess.run(
      "/usr/bin/python3", ["-c", script, Garland.path], environment: ["CI": nil, "GITHUB_ACTIONS": nil, "TMPDIR": folder.path],
      in: folder.path)
    #expect(result.status == 0, "\(result.error)")
    #expect(!result.error.contains("warning"))
    let same = try await ChildProcess.run("/usr/bin/cmp", ["out.bin", server.files + "/big.bin"], in: folder.path)
    #expect(same.status == 0, "\(same.output)\(same.error)")
    let peak = try #require(result.output.split(separator: "\n").last.flatMap { Double($0.dropFirst(5)) })
    #expect(peak / 1_000 < 64, "\(peak)")
    // The temporary files were removed.
    #expect(folder.names == ["out.bin", "w.yaml"])
  }

  @Test(arguments: [
    "get: /bytes/5000000?seed=3", "get: /bytes/5000000?seed=3\n    expect: { body: { length: 5000000 } }",
    "get: /bytes/5000000?seed=3\n    expect: { status: 404 }", "get: /bytes/5000000?seed=3\n    retry: 3",
  ])
  func `a large response body is printed completely, even if expectations of the step read the body, too`(step: String) async throws {
    let folder = try TemporaryFolder()
    try folder.write("w.yaml", "garland: 1\ndefaults: { base_url: \"${env.GARLAND_SANDBOX}\" }\nsteps:\n  big:\n    \(step)\n")
    let result = try await Garland.run(["run", "w.yaml", "big", "--sandbox"], environment: ["TMPDIR": folder.path], in: folder.path)
    #expect(result.outputBytes.count == 5_000_000, "\(result.error)")
    // Binary bodies do not meet these text expectations.
    #expect(result.status == (step.contains("404") || step.contains("body") ? 1 : 0), "\(result.error)")
    #expect(folder.names == ["w.yaml"])
  }

  @Test func `secrets are masked in a printed response body that arrives in pieces`() async throws {
    let folder = try TemporaryFolder()
    let secret = "correct-horse-battery"
    let body = Array(String(repeating: "x", count: (256 << 10) - 5).utf8) + Array("\(secret) and \(secret).".utf8)
    let server = try RawServer { connection in
      while connection.readRequest() != nil {
        connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: \(body.count)\r\n\r\n")
        connection.send(body)
      }
    }
    try folder.write("w.yaml", "garland: 1\nsecrets: [WORD]\nsteps: { a: { get: \"\(server.url)/\" } }\n")
    let result = try await Garland.run(["run", "w.yaml", "a"], environment: ["WORD": secret], in: folder.path)
    #expect(result.status == 0, "\(result.error)")
    #expect(result.output.hasSuffix("x*** and ***."), "\(result.output.suffix(80))")
    #expect(result.output.count == (256 << 10) - 5 + 12)
  }

  @Test func `the body of a download is not printed if the download fails an expectation`() async throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "w.yaml",
      "garland: 1\nsteps: { cover: { get: \"${env.GARLAND_SANDBOX}/bytes/5000\", download: out.bin, expect: { status: 404 } } }\n")
    let result = try await Garland.run(["run", "w.yaml", "cover", "--sandbox"], in: folder.path)
    #expect(result.status == 1 && result.outputBytes.isEmpty)
    #expect(result.error.contains("the body of the step `cover` is not shown: its download was not kept"), "\(result.error)")
    #expect(!result.error.contains("0 B of"))
  }

  @Test func `if a run is interrupted before a response body is complete, nothing of the body is printed`() async throws {
    let folder = try TemporaryFolder()
    let (halves, continuation) = AsyncStream.makeStream(of: Void.self)
    let server = try RawServer { connection in
      while connection.readRequest() != nil {
        connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 1000\r\n\r\nthe beginning")
        continuation.yield()
      }
    }
    var arrived = halves.makeAsyncIterator()
    for expectation in ["", ", expect: { body: { contains: x } }"] {
      try folder.write("w.yaml", "garland: 1\nsteps: { a: { get: \"\(server.url)/\"\(expectation) } }\n")
      let child = try Garland.start(["run", "w.yaml", "a"], environment: ["TMPDIR": folder.path], in: folder.path)
      _ = await arrived.next()
      child.signal(SIGINT)
      let result = await child.result
      #expect(result.status == 130, "\(result.error)")
      #expect(result.outputBytes.isEmpty, "\(result.output)")
      #expect(folder.names == ["w.yaml"])
    }
  }

  private static let commands = "first\n::add-mask::e\n##[error]no\n"

  /// Runs a command like GitHub's runner, whose own environment does not contain the variables of a job. Within this command, a line of a
  /// job is executed.
  private func inActions(_ command: String, _ line: String) async throws -> ChildProcess.Result {
    let folder = try TemporaryFolder()
    try folder.write("line", line + "\n")
    let body = Self.commands
    let server = try RawServer { connection in
      while connection.readRequest() != nil {
        connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
      }
    }
    try folder.write("w.yaml", "garland: 1\nsteps: { a: { get: \"\(server.url)/\" } }\n")
    return try await ChildProcess.run(
      "/bin/sh", ["-c", command], environment: ["CI": nil, "GITHUB_ACTIONS": nil, "GARLAND": Garland.path], in: folder.path)
  }

  @Test(arguments: ["run w.yaml a", "run w.yaml --print '${a.text}'"])
  func `a GitHub Actions command in a response body, such as '::error::', has no effect in the log of a GitHub job`(arguments: String)
    async throws
  {
    for line in ["$GARLAND \(arguments)", "(cd . && $GARLAND \(arguments); true)"] {
      let log = try await inActions("GITHUB_ACTIONS=true sh ./line; true", line).output
      let lines = log.split(separator: "\n").map(String.init)
      let first = try #require(lines.first)
      #expect(first.hasPrefix("::stop-commands::garland-"), "\(log)")
      #expect(lines.last == "::\(first.dropFirst("::stop-commands::".count))::")
      #expect(log.contains(Self.commands))
    }
    #expect(try await inActions("sh ./line", "$GARLAND \(arguments)").output.hasPrefix("first\n"))
    #expect(try await inActions("GITHUB_ACTIONS=true sh ./line", "$GARLAND \(arguments) > out; cat out").output.hasPrefix("first\n"))
  }

  @Test(arguments: ["TF_BUILD=True", "TEAMCITY_VERSION=1"], ["run w.yaml a", "run w.yaml --print '${a.text}'"])
  func `in the log of a CI system that cannot pause log commands, such commands in a response body are escaped`(
    variable: String, arguments: String
  ) async throws {
    let log = try await inActions("\(variable) sh ./line; true", "$GARLAND \(arguments)").output
    #expect(log.hasPrefix("first\n::add-mask::e\n# #[error]no\n"), "\(log)")
    let captured = try await inActions("\(variable) sh ./line; true", "x=$($GARLAND \(arguments)); echo \"$x\"").output
    #expect(captured == Self.commands)
  }

  @Test func `if a script in a GitHub job captures the output of garland run, it gets only the printed response body`() async throws {
    for line in ["x=$($GARLAND run w.yaml a); echo \"$x\"", "$GARLAND run w.yaml a | cat", "(cd . && $GARLAND run w.yaml a; true) | cat"] {
      let result = try await inActions("GITHUB_ACTIONS=true sh ./line; true", line)
      #expect(result.output == Self.commands, "\(line): \(result.output)\(result.error)")
    }
  }
}
