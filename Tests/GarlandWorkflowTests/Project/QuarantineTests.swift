import GarlandDiagnostics
import GarlandJSON
import Testing

@testable import GarlandWorkflow

/// Tests of quarantined steps in the list beside the project, and in the project file.
@Suite struct QuarantineTests {
  private static let folders: Set<String> = ["/", "/project", "/project/tests", "/project/.git"]
  private static let document = "garland: 1\nsteps: { pay: { get: 'http://h/x' }, read: { get: 'http://h/y' } }"
  private static let pay = "- { step: tests/test.yaml#pay, reason: SHOP-123, until: 2026-12-01 }\n"

  /// The result of decoding a document below `/project` on a given day.
  private struct Decoded {
    let workflow: Workflow?
    let diagnostics: DiagnosticList
    let list: QuarantineList?
    private let files: FileAccess

    init(_ list: String?, project: String? = "name: x", on day: String? = "2026-11-20") {
      var contents = ["/project/tests/test.yaml": document]
      if let project { contents["/project/garland.project.yaml"] = project }
      if let list { contents["/project/quarantine.yaml"] = list }
      files = FileAccess(MemoryFiles(contents: contents, folders: folders), roots: ["/project"])
      var options = WorkflowDecoder.Options(files: files)
      options.projects = ProjectFinder(.nearest, files: files, workingDirectory: "/project")
      options.today = day.flatMap(CalendarDay.init)
      (workflow, diagnostics) = WorkflowDecoder.decode(
        name: "tests/test.yaml", bytes: Array(document.utf8), directory: "/project/tests", options: options)
      self.list = options.projects?.quarantine(of: "/project/tests")
    }

    var quarantined: [String] { (workflow?.steps ?? []).filter { $0.flow.quarantine != nil && $0.flow.allowFailure }.map(\.id) }
    var mistakes: [String] { QuarantineTests.words(diagnostics) }

    /// Returns the warnings of `check` on a given day.
    func warnings(on day: String) throws -> [String] {
      let today = try #require(CalendarDay(day))
      let list = try #require(list)
      return QuarantineTests.words(QuarantineLint.findings(in: list, [workflow].compactMap(\.self), files: files.files, today: today))
    }
  }

  private static func words(_ diagnostics: DiagnosticList) -> [String] {
    diagnostics.all.map { "\($0.range.map { "\($0) " } ?? "")\($0.code.rawValue): \($0.message)" }
  }

  // MARK: Lists

  @Test func `a step that is listed in the file quarantine.yaml is quarantined`() {
    #expect(Decoded(Self.pay).quarantined == ["pay"])
  }

  @Test func `a step that is listed under the key 'quarantine' of the project file is quarantined`() {
    #expect(Decoded(nil, project: "quarantine:\n  \(Self.pay)").quarantined == ["pay"])
  }

  @Test func `the file quarantine.yaml is found even if there is no project file`() {
    #expect(Decoded(Self.pay, project: nil).quarantined == ["pay"])
  }

  @Test func `quarantining a step in both the project file and quarantine.yaml is an error`() {
    let decoded = Decoded(Self.pay, project: "quarantine:\n  \(Self.pay)")
    #expect(decoded.mistakes == ["quarantine.yaml:1:11 conflict: the step `pay` is quarantined twice"])
  }

  @Test func `an empty quarantine list quarantines no step`() {
    let decoded = Decoded("# none\n")
    #expect(decoded.quarantined == [] && decoded.mistakes == [])
  }

  @Test(arguments: [
    ("step: x", "quarantine.yaml:1:1 wrong-type: expected a list of quarantined steps, found a mapping"),
    ("- { reason: r, until: 2026-12-01 }", "quarantine.yaml:1:3 missing-key: `step` is missing"),
    ("- { step: a.yaml#b, until: 2026-12-01 }", "quarantine.yaml:1:3 missing-key: `reason` is missing"),
    ("- { step: a.yaml#b, reason: r }", "quarantine.yaml:1:3 missing-key: `until` is missing"),
    (
      "- { step: pay, reason: r, until: 2026-12-01 }",
      "quarantine.yaml:1:11 wrong-type: expected a document and a step such as `tests/shop.yaml#pay`, found `pay`"
    ),
    (
      "- { step: a.yaml#b, reason: r, until: 2026-02-30 }",
      "quarantine.yaml:1:39 wrong-type: expected a date such as `2026-12-01`, found `2026-02-30`"
    ),
    ("- { step: a.yaml#b, reason: r, until: 2026-12-01, utnil: 1 }", "quarantine.yaml:1:51 unknown-key: unknown key `utnil`"),
  ]) func `a mistake in a quarantine list is reported with its position`(list: String, message: String) {
    #expect(Decoded(list).mistakes.first?.hasPrefix(message) == true, "\(Decoded(list).mistakes)")
  }

  // MARK: Dates

  @Test(arguments: [("2026-11-20", true), ("2026-12-01", true), ("2026-12-02", false)])
  func `after the last day of its quarantine, a step is no longer quarantined`(day: String, holds: Bool) {
    #expect(Decoded(Self.pay, on: day).quarantined == (holds ? ["pay"] : []))
  }

  @Test(arguments: [
    ("2026-11-23", []),
    (
      "2026-11-24",
      [
        "quarantine.yaml:1:57 quarantine-ends: the quarantine of the step `pay` ends in 7 days, on 2026-12-01: after that its failures count"
      ]
    ),
    ("2026-11-30", ["quarantine.yaml:1:57 quarantine-ends: the quarantine of the step `pay` ends tomorrow: after that its failures count"]),
    ("2026-12-01", ["quarantine.yaml:1:57 quarantine-ends: the quarantine of the step `pay` ends today: after that its failures count"]),
    ("2026-12-02", ["quarantine.yaml:1:57 quarantine-over: the quarantine of the step `pay` ended on 2026-12-01: its failures count"]),
  ]) func `'garland check' warns if the quarantine of a step ends within seven days or has already ended`(day: String, warnings: [String])
    throws
  {
    #expect(try Decoded(Self.pay).warnings(on: day) == warnings)
  }

  @Test func `garland check warns of a quarantine entry for a step that the document does not have`() throws {
    let decoded = Decoded(Self.pay.replacing("#pay", with: "#pya"))
    #expect(try decoded.warnings(on: "2026-11-20") == ["quarantine.yaml:1:11 quarantine-unused: tests/test.yaml has no step `pya`"])
  }

  @Test func `garland check warns of a quarantine entry for a document that does not exist`() throws {
    let decoded = Decoded(Self.pay.replacing("test.yaml", with: "other.yaml"))
    #expect(try decoded.warnings(on: "2026-11-20") == ["quarantine.yaml:1:11 quarantine-unused: there is no document tests/other.yaml"])
  }

  @Test(arguments: ["1999-12-31", "2024-02-29", "2026-01-01"]) func `the date of a quarantine is unchanged after it is parsed and written`(
    text: String
  ) {
    #expect(CalendarDay(text)?.description == text)
  }

  @Test(arguments: ["2026-1-01", "2026-02-29", "2026-01-01T00:00:00Z", "", "tomorrow"])
  func `a text that is not a date is refused as the end of a quarantine`(text: String) {
    #expect(CalendarDay(text) == nil)
  }

  // MARK: The schema

  @Test(arguments: [("2026-12-01", true), ("soon", false)])
  func `the JSON schema of quarantine lists accepts an entry only if its end is a date`(
    until: String, isAdmitted: Bool
  ) throws {
    let schema = try JSONSchema(WorkflowSchema.quarantine)
    let list = try JSONValue(parsing: Array(#"[{"step":"tests/shop.yaml#pay","reason":"SHOP-123","until":"\#(until)"}]"#.utf8))
    #expect(try schema.validate(list).isEmpty == isAdmitted)
  }
}
