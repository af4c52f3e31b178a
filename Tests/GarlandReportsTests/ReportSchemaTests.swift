import GarlandDiagnostics
import GarlandJSON
import GarlandResults
import Glibc
import Testing

@testable import GarlandReports

@Suite struct ReportSchemaTests {
  private static func schema() throws -> JSONValue {
    let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
    return try JSONValue(parsing: ScratchFolder.text(ofFile: "\(root)/schemas/report.schema.json"))
  }

  private static func report(_ events: [RunEvent], allBodies: Bool) throws -> JSONValue {
    let folder = try ScratchFolder()
    let reporter = try JSONReporter(
      path: "\(folder.path)/r.json", redactor: Redactor(), generator: "garland 1.0", hostname: nil, includesAllBodies: allBodies)
    for event in events { reporter.receive(event) }
    try reporter.finish()
    return try JSONValue(parsing: folder.text("r.json"))
  }

  @Test(arguments: [true, false]) func `every JSON report is valid against the schema of JSON reports`(allBodies: Bool) throws {
    let schema = try JSONSchema(Self.schema())
    let notice = Diagnostic("likely-race", severity: .warning, "two steps may write at once", at: Fixture.range("create:")).help(
      "add `after`")
    for events in [
      [], Fixture.greenEvents, Fixture.allEvents, [.runStarted(Fixture.start), .notice(notice), .notice(notice)],
      RunRecordingTests.flakyShard, RunRecordingTests.measured, ReportText.run([]) { $0.add(notice, .failed) },
    ] {
      let failures = try schema.validate(Self.report(events, allBodies: allBodies))
      #expect(failures.isEmpty, "\(failures)")
    }
  }

  @Test func `the schema of JSON reports refuses a member that it does not define`() throws {
    let schema = try JSONSchema(Self.schema())
    guard case .object(var report) = try Self.report(Fixture.allEvents, allBodies: false) else {
      Issue.record("no object")
      return
    }
    report["surprise"] = true
    #expect(try !schema.isValid(.object(report)))
  }

  @Test func `every member in the schema of JSON reports has a description`() throws {
    func check(_ schema: JSONValue, _ path: String) {
      for (name, member) in schema["properties"]?.objectValue ?? [:] {
        #expect(member["description"]?.stringValue?.hasSuffix(".") == true, "\(path).\(name)")
        check(member, "\(path).\(name)")
      }
      if let items = schema["items"] { check(items, path + "[]") }
      for (name, definition) in schema["$defs"]?.objectValue ?? [:] { check(definition, name) }
    }
    check(try Self.schema(), "report")
  }
}
