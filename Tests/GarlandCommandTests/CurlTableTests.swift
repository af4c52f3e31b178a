import Foundation
import GarlandDiagnostics
import GarlandImport
import TestSupport
import Testing

/// Tests that curl command lines and the steps imported from them send the same bytes to a server, or that a warning names the difference.
///
/// `Tests/Fixtures/curl/commands.txt` contains the table of command lines. These are not compared: the order of fields with different names
/// (RFC 9110, section 5.3, gives it no meaning), the case of percent-encodings in a URL (RFC 3986, section 6.2.2.1), white space around a
/// value, the default of `User-Agent`, the boundary of a multipart form and the length that follows from it, and the signature of
/// `--aws-sigv4`.
@Suite(.timeLimit(.minutes(10))) struct CurlTableTests {
  /// The number of rows whose servers run at the same time.
  private static let batch = 60

  /// The environment variables, and the secrets that replace the credentials in the table.
  private static let environment: [String: String?] = [
    "TOKEN": "t0ken", "SPECIAL": "a b&c=/?d~é", "PASSWORD": "pa:ss", "PASSWORD_2": "other", "API_KEY": "k+1", "ACCESS_TOKEN": "t0ken",
    "AUTHORIZATION": "Key t0ken", "X_API_KEY": "k-1", "AWS_SECRET_ACCESS_KEY": "aws-pass", "COOKIE_SESSION": "abc123",
    "COOKIE_TOKEN": "t0ken", "PROXY_PASSWORD": "proxy-pass", "KEY_PASSWORD": "x", "LC_ALL": "C.UTF-8", "UNSET": nil, "CURL_HOME": nil,
    "XDG_CONFIG_HOME": nil, "PRIVATE_TOKEN": "k-1", "JOB_TOKEN": "k-1", "X_VAULT_TOKEN": "k-1", "PASS": "x y", "REFRESH_TOKEN": "a/b+c=",
    "X_AMZ_CREDENTIAL": "AKIA%2F20130524%2Fus-east-1%2Fs3%2Faws4_request",
    "http_proxy": nil, "https_proxy": nil, "HTTP_PROXY": nil, "HTTPS_PROXY": nil, "ALL_PROXY": nil, "all_proxy": nil, "no_proxy": nil,
  ]

  @Test func `a step imported from a curl command sends the same request as curl, or a warning names the difference`() async throws {
    let rows = try Self.rows()
    #expect(rows.count >= 300)
    var differences = ""
    for start in stride(from: 0, to: rows.count, by: Self.batch) {
      for outcome in try await Self.outcomes(of: Array(rows[start..<min(start + Self.batch, rows.count)])) {
        guard outcome.curl != outcome.step || outcome.refusal != nil else { continue }
        if outcome.warnings.isEmpty, outcome.refusal == nil {
          Issue.record("\(outcome.row)\n\ncurl sent:\n\(outcome.curl)\n\nthe step sent:\n\(outcome.step)\n\n\(outcome.document)")
        }
        differences +=
          outcome.row + "\n"
          + (outcome.warnings + (outcome.refusal.map { ["check: \($0)"] } ?? []) + outcome.differences).map { "    \($0)\n" }.joined()
      }
    }
    expectGolden(differences, "curl-differences.txt")
  }

  // MARK: The table

  /// Returns the rows of the table. An indented line continues the row above it.
  private static func rows() throws -> [String] {
    let text = String(decoding: try Data(contentsOf: URL(filePath: Repository.path("Tests/Fixtures/curl/commands.txt"))), as: UTF8.self)
    var rows: [String] = []
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      if line.hasPrefix("  "), let last = rows.popLast() { rows.append(last + "\n" + line.dropFirst(2)) } else { rows.append(String(line)) }
    }
    return rows
  }

  private struct Outcome {
    let row: String
    var document = ""
    /// The importer's warnings, except those of credentials that became secrets.
    var warnings: [String] = []
    /// The mistakes that `garland check` reports in the document, such as a missing file.
    var refusal: String?
    var curl = ""
    var step = ""

    var host = ""

    /// The lines that only one of both clients sent, in readable form, without the parts that differ each time.
    var differences: [String] {
      let (curl, step) = (lasting(curl).split(separator: "\n"), lasting(step).split(separator: "\n"))
      let difference = step.difference(from: curl)
      return difference.removals.map { "- \(Self.shown($0))" } + difference.insertions.map { "+ \(Self.shown($0))" }
    }

    private func lasting(_ text: String) -> String {
      text.replacing(host, with: "HOST").replacing(host.split(separator: ":").last ?? "", with: "PORT")
        .replacing(/-{20,}[0-9a-f]{16}/, with: "--(boundary)").replacing(/Signature=[0-9a-f]{64}/, with: "Signature=(of this time)")
        .replacing(/x-amz-date: [0-9TZ]+/, with: "x-amz-date: (now)").replacing(#/key/[0-9]{8}/#, with: "key/(today)")
        .replacing(/since: .* GMT/, with: "since: (a date)").replacing(
          #/TCP4 127\.0\.0\.1 127\.0\.0\.1 [0-9]+/#, with: "TCP4 127.0.0.1 127.0.0.1 (port)")
    }

    private static func shown(_ change: CollectionDifference<Substring>.Change) -> String {
      let line =
        switch change {
        case .remove(_, let line, _), .insert(_, let line, _): line
        }
      return line.unicodeScalars.map { $0.isASCII && $0.value >= 0x20 ? String($0) : $0.escaped(asASCII: true) }.joined()
    }
  }

  /// Runs all rows with bash in separate folders, in parallel, since many rows wait. The imported documents run in a single process, in a
  /// folder with the same files.
  private static func outcomes(of rows: [String]) async throws -> [Outcome] {
    let ours = try TemporaryFolder()
    let theirs = try rows.map { _ in try TemporaryFolder() }
    let servers = try rows.enumerated().map { index, row in
      try CurlRecorder(
        unixSockets: row.contains("server.sock") ? [ours, theirs[index]].map { $0.path + "/server\(index).sock" } : [])
    }
    let commands = rows.enumerated().map { index, row in
      row.replacing("HOST", with: servers[index].host).replacing("${PORT}", with: "\(servers[index].port)")
        .replacing("config.txt", with: "config\(index).txt").replacing("server.sock", with: "server\(index).sock")
    }
    try await withThrowingTaskGroup { group in
      for (index, command) in commands.enumerated() {
        group.addTask { try await runCurl(command, in: theirs[index], "config\(index).txt", host: servers[index].host) }
      }
      try await group.waitForAll()
    }
    var outcomes: [Outcome] = []
    try writeFiles(ours)
    for (index, row) in rows.enumerated() {
      let server = servers[index]
      try writeConfiguration(ours, "config\(index).txt", host: server.host)
      var outcome = Outcome(row: row)
      outcome.host = server.host
      outcome.curl = server.takeAll()
      let result = Importer.workflow(from: [SourceFile(name: "\(index).sh", bytes: Array(commands[index].utf8))]) { path in
        FileManager.default.contents(atPath: path.hasPrefix("/") ? path : ours.path + "/" + path).map { Array($0) }
      }
      outcome.document = result.text ?? ""
      outcome.warnings = result.diagnostics.all.map(\.message).filter { !$0.hasPrefix("the credentials of") }
        .map { $0.replacing(server.host, with: "HOST").replacing("\(server.port)", with: "PORT") }
      if let text = result.text { try ours.write("\(index).yaml", text) }
      outcomes.append(outcome)
    }
    try await run(&outcomes, in: ours)
    for (index, server) in servers.enumerated() { outcomes[index].step = server.takeAll() }
    return outcomes
  }

  private static func runCurl(_ command: String, in folder: TemporaryFolder, _ configuration: String, host: String) async throws {
    try writeFiles(folder, of: command)
    try writeConfiguration(folder, configuration, host: host)
    _ = try await ChildProcess.run(
      "/usr/bin/timeout", ["5", "/bin/bash", "-c", command], environment: environment.merging(["HOME": folder.path]) { $1 },
      in: folder.path)
  }

  private static func run(_ outcomes: inout [Outcome], in folder: TemporaryFolder) async throws {
    let environment = environment.merging(["HOME": folder.path]) { $1 }
    var documents = outcomes.indices.filter { !outcomes[$0].document.isEmpty }.map { "\($0).yaml" }
    // Some diagnostics appear only after others are fixed.
    while true {
      let check = try await Garland.run(["check", "--color", "never"] + documents, environment: environment, in: folder.path)
      let lines = (check.output + check.error).split(separator: "\n")
      let count = documents.count
      for (line, place) in zip(lines, lines.dropFirst()) where line.hasPrefix("error") {
        guard let name = place.split(separator: "> ").last?.split(separator: ".").first, let index = Int(name) else { continue }
        outcomes[index].refusal = outcomes[index].refusal ?? String(line.split(separator: ": ", maxSplits: 1).last ?? line)
        documents.removeAll { $0 == "\(index).yaml" }
      }
      if documents.count == count { break }
    }
    let result = try await Garland.run(["run", "--color", "never"] + documents, environment: environment, in: folder.path)
    #expect(result.status < 128 && !result.output.isEmpty, "\(result.output.prefix(3000))\(result.error.prefix(3000))")
  }

  /// Writes the files that the rows name.
  ///
  /// - Parameter command: a row whose files are enough; nil for those of all rows.
  private static func writeFiles(_ folder: TemporaryFolder, of command: String? = nil) throws {
    let jar = "# Netscape HTTP Cookie File\n127.0.0.1\tFALSE\t/\tFALSE\t0\tkept\tyes\n"
    let files = [
      "text.txt": "line1\r\nline2\nx=1 &2", "headers.txt": "X-From: file\nX-Two: 2\n", "query.txt": "a=1&b=2", "page.html": "<p>hi</p>",
      "a b,c.txt": "spaced",
      "a.json": "{\"a\": 1}\n", "etag.txt": "\"tag\"", "format.txt": "%{http_code}", "jar.txt": jar, "jar2.txt": jar,
      "ca.pem": "", "client.pem": "", "client.key": "",
      "netrc.txt": "machine 127.0.0.1 login alice password pa:ss\n",
    ]
    for (name, text) in files where command?.contains(name) != false { try folder.write(name, text) }
    if command?.contains("latin.txt") != false {
      try folder.write("latin.txt", Array("a=\r\nb".utf8) + [0xE9, 0x0A] + Array("c".utf8))
    }
    if command?.contains("binary.bin") != false { try folder.write("binary.bin", [0xFF, 0xFE, 0x00, 0x01] + Array("bin".utf8)) }
    // Rows use these without naming them.
    try folder.write(".netrc", "machine 127.0.0.1 login bob password other\n")
    try folder.write("out/.keep", "")
  }

  /// Writes a file of options for one of the rows.
  private static func writeConfiguration(_ folder: TemporaryFolder, _ configuration: String, host: String) throws {
    try folder.write(
      configuration,
      "# options\n-s\nurl = \"http://\(host)/config\"\nheader \"X-One: \\\"1\\\"\"\nuser-agent = me/1\ndata: x=1\n")
  }
}
