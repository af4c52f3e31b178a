import Foundation
import GarlandReports
import TestSupport
import Testing

/// Tests that every encoding which the reference promises to mask is masked in every output: in responses, in documents and in requests.
@Suite(.timeLimit(.minutes(15))) struct EncodingCanaryTests {
  /// The encodings in the reference's table, without those that are not about a single text.
  static let promised: [String] = {
    let page =
      (try? String(contentsOfFile: Repository.path("docs/language/secrets.md"), encoding: .utf8)) ?? ""
    let section = page.split(separator: "### Encodings that are masked").last?.split(separator: "\n\n").first ?? ""
    return section.split(separator: "\n").dropFirst(2).compactMap { row in
      row.split(separator: "|").first.map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }()

  @Test func `the tests cover every encoding in which the documentation promises that secrets are masked`() {
    let lines = "with other line breaks, and each line of 4 characters or more"
    #expect(Set(Self.promised) == Set(MaskedEncoding.all.map(\.name)).union([lines]))
  }

  /// Starts a server that responds according to the path `/KIND/NUMBER`, where the number is that of an encoding.
  static func server() throws -> RawServer {
    try RawServer { connection in
      while let request = connection.readRequest() {
        let path = request.head.split(separator: " ").dropFirst().first?.split(separator: "?").first?.split(separator: "/") ?? []
        guard path.count == 2, let number = Int(path[1]) else { return }
        let text = MaskedEncoding.all[number].text
        var head = "HTTP/1.1 200 OK\r\n"
        var body = "before \(text) behind"
        switch path[0] {
        case "json":
          let value =
            (try? JSONSerialization.data(withJSONObject: ["a": text, "b": String(repeating: "pad ", count: 18) + text])) ?? Data()
          body = String(decoding: value, as: UTF8.self)
          head += "Content-Type: application/json\r\n"
        case "cut": body = stride(from: 20, to: 260, by: 9).map { String(repeating: "p", count: $0) + text }.joined(separator: "tail\n")
        case "kept": body = String(repeating: "x ", count: (64 << 9) - text.utf8.count / 3) + text + String(repeating: " behind", count: 9)
        case "header": head += "X-E: \(text)\r\n"
        case "status": head = "HTTP/1.1 500 No\r\n"
        case "redirect": head = "HTTP/1.1 302 Found\r\nLocation: /body/\(number)?to=\(text)\r\n"
        case "broken": head += "Connection: close\r\n"
        default: break
        }
        connection.send(head + "Content-Length: \(body.utf8.count + (path[0] == "broken" ? 9 : 0))\r\n\r\n" + body)
        if path[0] == "broken" { return }
      }
    }
  }

  /// Returns a text as a string that is valid in YAML and JSON.
  static func quoted(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "\"") { quoted, scalar in
      switch scalar {
      case "\"", "\\": quoted += "\\\(scalar)"
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\t": quoted += "\\t"
      default: quoted.unicodeScalars.append(scalar)
      }
    } + "\""
  }

  /// Whether the documents have a step with a body of 64 KiB that ends with the encoding of this number. A debug build needs about a second to
  /// mask such a body in one report, so `make test` has only one such step in the document of each third.
  private static func isKept(_ number: Int) -> Bool { DeepTests.areRun || [7, 14, 27].contains(number) }

  /// - Parameter third: the third of the encodings that the document has in `make test`, because documents with all of them would make the
  ///   tests take a minute longer. `make test-deep` has all of them in each document.
  static func document(_ server: RawServer, third: Int) -> String {
    let numbers = MaskedEncoding.all.enumerated().filter { DeepTests.areRun || $0.offset % 3 == third }
    let steps = numbers.map { number, encoding in
      let fitsURL = encoding.text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"\"<>\\^`{|}".utf8.contains($0) }
      let fitsHeader = !encoding.text.contains { $0.isNewline }
      return """
          body\(number): { get: /body/\(number), description: \(quoted(encoding.text)), expect: { body: nope } }
          json\(number): { get: /json/\(number), expect: { json: { $.a: nope, $.b: { matches: "^zz" }, $.c: 1 } } }
          cut\(number): { get: /cut/\(number), expect: { body: { contains: nope } } }
          status\(number): { get: /status/\(number) }
          broken\(number): { get: /broken/\(number) }
          snap\(number): { get: /body/\(number), expect: { snapshot: snap.txt } }
          extract\(number): { get: /json/\(number), extract: { v: $.nothing.there } }
          sent\(number): { post: /status/\(number), body: \(quoted("sent \(encoding.text)")) }
        \(isKept(number) ? "  kept\(number): { get: /kept/\(number), expect: { body: nope } }" : "")
        \(fitsHeader ? "  header\(number): { get: /header/\(number), headers: { X-Sent: \(quoted("v" + encoding.text)) }, expect: { headers: { X-E: nope } } }" : "")
        \(fitsURL ? "  redirect\(number): { get: /redirect/\(number), expect: { body: nope } }" : "")
        """
    }
    return
      "garland: 1\nsecrets: [SECRET]\ndefaults: { base_url: \"\(server.url)\", timeout: 60s }\nsteps:\n\(steps.joined(separator: "\n"))\n"
  }

  static func expectNone(in bytes: [UInt8], _ place: String) {
    let found = MaskedEncoding.anyShown(in: bytes)
    #expect(found.isEmpty, "\(place) shows \(found.prefix(5))")
  }

  /// The options for a report in each format.
  static let reports = ReportFormat.allCases.flatMap { ["--report", "\($0.rawValue)=\($0.fileName)"] }

  // A debug build needs about 8 s of CPU time to mask a run of all encodings, so each run shows as much as possible.
  @Test(arguments: [
    (0, ["run", "w.yaml", "--show", "all", "--verbose", "--color", "always"] + reports),
    (1, ["run", "w.yaml", "--quiet", "--report", "json=-"]),
    (1, ["run", "w.yaml", "body4", "--print", "${extract1.v}"]),
    (2, ["run", "wrong.yaml", "--report", "junit=report.xml", "--report", "json=report.json"]),
    (0, ["check", "w.yaml"]), (1, ["check", "wrong.yaml"]),
    (2, ["list", "w.yaml"]), (0, ["list", "w.yaml", "--format", "json"]),
    (1, ["plan", "w.yaml"]), (2, ["plan", "w.yaml", "--format", "svg"]), (0, ["plan", "w.yaml", "--format", "mermaid"]),
    (1, ["plan", "w.yaml", "--format", "dot"]), (2, ["plan", "w.yaml", "--format", "json"]),
    (0, ["curl", "w.yaml", "sent0"]), (1, ["curl", "w.yaml", "sent16"]), (0, ["curl", "w.yaml", "sent24"]),
    (0, ["curl", "w.yaml", "header3"]),
  ]) func `no command shows a secret in any encoding in its output or in its reports`(third: Int, arguments: [String]) async throws {
    let server = try Self.server()
    let folder = try TemporaryFolder()
    let document = Self.document(server, third: third)
    try folder.write("w.yaml", document)
    try folder.write("wrong.yaml", document.replacing("expect: { body: nope }", with: "expcet: { body: nope }"))
    try folder.write("snap.txt", "something else\n")
    let given = Set(folder.names)
    let result = try await Garland.run(arguments, environment: ["SECRET": MaskedEncoding.secret], in: folder.path)
    #expect([0, 1, 2].contains(result.status), "\(result.error)")
    #expect(!result.error.contains("unexpected"), "\(result.error)")
    Self.expectNone(in: result.outputBytes, "standard output")
    Self.expectNone(in: result.errorBytes, "standard error")
    for name in folder.names where !given.contains(name) { Self.expectNone(in: try folder.read(name), name) }
    if folder.names.contains("report.html") {
      Self.expectNone(in: try await Garland.unpacked(folder.path + "/report.html"), "the data of report.html")
    }
  }

  @Test func `a snapshot file contains no secret in any encoding`() async throws {
    let server = try Self.server()
    let folder = try TemporaryFolder()
    let steps = MaskedEncoding.all.indices.map { "  s\($0): { get: /body/\($0), expect: { snapshot: \"s\($0).txt\" } }\n" }.joined()
    try folder.write("w.yaml", "garland: 1\nsecrets: [SECRET]\ndefaults: { base_url: \"\(server.url)\" }\nsteps:\n\(steps)")
    let result = try await Garland.run(
      ["run", "w.yaml", "--update-snapshots"], environment: ["SECRET": MaskedEncoding.secret], in: folder.path)
    #expect(result.status == 0, "\(result.error)")
    #expect(folder.names.count == MaskedEncoding.all.count + 1)
    for name in folder.names where name != "w.yaml" { Self.expectNone(in: try folder.read(name), name) }
  }
}
