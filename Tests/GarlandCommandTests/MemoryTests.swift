import GarlandSandbox
import TestSupport
import Testing

/// Tests that the memory of a run does not grow with the bodies that it sends and receives.
@Suite(.timeLimit(.minutes(15)), .serialized) struct MemoryTests {
  /// Runs a command as a child of a small process that reports the command's peak memory. A direct child of the tests would include the
  /// memory of the tests.
  static func peakMemory(_ arguments: [String], in folder: String) async throws -> (status: Int32, megabytes: Double, output: String) {
    let script = """
      import os, resource, sys
      status = os.spawnv(os.P_WAIT, sys.argv[1], sys.argv[1:])
      print("peak", resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
      sys.exit(status)
      """
    let result = try await ChildProcess.run(
      "/usr/bin/python3", ["-c", script, Garland.path] + arguments, environment: ["CI": nil, "GITHUB_ACTIONS": nil], in: folder)
    let peak = result.output.split(separator: "\n").last { $0.hasPrefix("peak ") }.flatMap { Double($0.dropFirst(5)) }
    return (result.status, try #require(peak, "\(result.output)\(result.error)") / 1_000, result.output + result.error)
  }

  /// A body that is kept would need all of its 200 MB.
  @Test(arguments: [
    "get: ${vars.base}/files/FILE\n    download: out.bin\n    expect: { size: SIZE }",
    "get: ${vars.base}/files/FILE\n    max_body: 300MB\n    download: out.bin\n    expect: { sha256: { file: FILE } }",
    "get: ${vars.base}/files/FILE\n    expect: { size: SIZE, sha256: { file: FILE }, status: 200 }",
    "post: ${vars.base}/sink\n    body: { file: FILE }",
    "post: ${vars.base}/sink\n    multipart: { doc: { file: FILE }, note: x }",
  ])
  func `sending, downloading or hashing a body of 200 MB does not increase memory use`(step: String) async throws {
    let server = try NginxServer.shared()
    func peak(_ file: String, size: String) async throws -> Double {
      let folder = try TemporaryFolder()
      let step = step.replacing("FILE", with: file).replacing("SIZE", with: size)
      try folder.write("w.yaml", "garland: 1\nvars: { base: \"\(server.url)\" }\nsteps:\n  s:\n    \(step)\n")
      let link = try await ChildProcess.run("/bin/ln", ["-s", "\(server.files)/\(file)", "\(folder.path)/\(file)"])
      #expect(link.status == 0)
      let (status, megabytes, output) = try await Self.peakMemory(["run", "w.yaml", "--allow-path", server.files], in: folder.path)
      #expect(status == 0, "\(output)")
      #expect(folder.names.allSatisfy { [file, "out.bin", "w.yaml"].contains($0) })
      return megabytes
    }
    let small = try await peak("hello.txt", size: "14")
    let large = try await peak("big.bin", size: "200MB")
    #expect(large - small < 16, "\(small) MB for a small body, \(large) MB for a large one")
  }

  /// A report that is read whole would need all of its 24 MB, and as much again for its values.
  @Test(arguments: [
    ["run", "w.yaml", "--report", "json=r.json"], ["run", "w.yaml", "--failed-from", "r.json"], ["plan", "w.yaml", "--from", "r.json"],
    ["report", "history", "r.json"],
  ])
  func `a command that reads an earlier report needs as much memory for a large report as for a small one`(arguments: [String]) async throws
  {
    func peak(_ body: String) async throws -> Double {
      let folder = try TemporaryFolder()
      try folder.write("w.yaml", "garland: 1\nsteps:\n  a: { get: 'http://127.0.0.1:1/' }\n")
      let exchange = #"{"hops":[],"responseBody":{"size":1,"text":"\#(body)"}}"#
      let result = #"{"file":"w.yaml","id":"a","outcome":"failed","startedAt":0,"seconds":1,"exchanges":[\#(exchange)]}"#
      try folder.write("r.json", #"{"format":"garland-report/1","run":{"seconds":1},"results":[\#(result)]}"#)
      return try await Self.peakMemory(arguments, in: folder.path).megabytes
    }
    let small = try await peak("")
    let large = try await peak(String(repeating: "a word, ", count: 3_000_000))
    #expect(large - small < 12, "\(small) MB for a small report, \(large) MB for a large one")
  }

  /// An array of all matches would need more than 100 bytes for each letter.
  @Test func `replacing each letter of a long text with the filter regex_replace does not increase memory use`() async throws {
    let letters = String(repeating: "a", count: 1_000_000)
    let server = try RawServer { connection in
      _ = connection.readHead()
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(letters.utf8.count)\r\n\r\n\(letters)")
    }
    let folder = try TemporaryFolder()
    let expectation = "that: \"${(response.text | regex_replace('a', 'b') | length) == 1000000}\""
    try folder.write("w.yaml", "garland: 1\nsteps:\n  a: { get: '\(server.url)/', expect: { \(expectation) } }\n")
    let (status, megabytes, output) = try await Self.peakMemory(["run", "w.yaml"], in: folder.path)
    #expect(status == 0, "\(output)")
    #expect(megabytes < 110, "\(megabytes) MB")
  }

  /// All groups of the replacement would need 600 MB for the only match.
  @Test func `if the result of the filter regex_replace is too large, the replacement is refused before it needs much memory`() async throws
  {
    let folder = try TemporaryFolder()
    let letters = "${1000 | range | map('0123456789') | join('')}"
    let groups = "${60000 | range | map('$0') | join('')}"
    let url = "http://127.0.0.1:1/${vars.letters | regex_replace('.+', vars.groups) | length}"
    try folder.write(
      "w.yaml", "garland: 1\nvars: { letters: \"\(letters)\", groups: \"\(groups)\" }\nsteps:\n  a: { get: \"\(url)\" }\n")
    let (status, megabytes, output) = try await Self.peakMemory(["run", "w.yaml"], in: folder.path)
    #expect(status == 1, "\(output)")
    #expect(output.contains("the text is larger than 64 MiB"))
    #expect(megabytes < 300, "\(megabytes) MB")
  }

  /// A body is released when the last step that uses it has ended, so that a thousand bodies need no more memory than a few.
  ///
  /// - Parameter reference: the part of the body that is used: a single value, or the whole body.
  @Test(arguments: ["json.method", "text | length"])
  func `response bodies are released after their last use, so that the bodies of 1,000 steps do not increase memory use`(reference: String)
    async throws
  {
    var options = SandboxOptions()
    options.recordLimit = 100
    let sandbox = try await Sandbox.start(options: options)
    let folder = try TemporaryFolder()
    func peak(bytes: Int) async throws -> Double {
      try folder.write("pad.txt", String(repeating: "x", count: bytes))
      var steps = ""
      for index in 0..<DeepTests.rounds(2_000, otherwise: 1_000) {
        steps += "  a\(index): { post: /anything, body: { file: pad.txt } }\n"
        steps += "  b\(index): { get: \"/status/200?${a\(index).\(reference)}\" }\n"
      }
      try folder.write("w.yaml", "garland: 1\ndefaults: { base_url: \"\(sandbox.url)\" }\nsteps:\n" + steps)
      let (status, megabytes, output) = try await Self.peakMemory(["run", "w.yaml", "--quiet", "--report", "junit=r.xml"], in: folder.path)
      #expect(status == 0, "\(output.suffix(2_000))")
      return megabytes
    }
    // The server sends the bodies back. If the run kept the large ones, they would need 40 MB.
    let small = try await peak(bytes: 1)
    let large = try await peak(bytes: 40_000)
    await sandbox.stop()
    #expect(large - small < 25, "\(small) MB with small bodies, \(large) MB with large ones")
  }
}
