import GarlandDiagnostics
import GarlandWorkflow
import TestSupport
import Testing

@testable import GarlandPlanner

struct PlanCheckTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    let steps: String
    let found: [String]
    var testDescription: String { name }
  }

  @Test(arguments: [
    Case(name: "write and read", steps: "a: {put: /x}\nb: {get: /x}", found: ["likely-race"]),
    Case(name: "read and create", steps: "a: {get: /x}\nb: {post: /x}", found: ["likely-race"]),
    Case(name: "two writes", steps: "a: {put: /x}\nb: {delete: /x}", found: ["likely-race"]),
    Case(name: "create and delete", steps: "a: {post: /x}\nb: {delete: /x}", found: ["likely-race"]),
    Case(name: "two creations", steps: "a: {post: /x}\nb: {post: /x}", found: []),
    Case(name: "two reads", steps: "a: {get: /x}\nb: {head: /x}", found: []),
    Case(name: "ordered", steps: "a: {put: /x}\nb: {get: /x, after: a}", found: []),
    Case(name: "ordered from afar", steps: "b: {get: /x, after: m}\nm: {get: /m, after: a}\na: {put: /x}", found: []),
    Case(name: "same expression", steps: "o: {get: /}\na: {put: /${o.id}}\nb: {get: /${o.id}}", found: ["likely-race"]),
    Case(name: "other expression", steps: "o: {get: /}\na: {put: /${o.id}}\nb: {get: /${o.name}}", found: []),
    Case(
      name: "another each time", steps: "a: {put: /${uuid()}}\nb: {get: /${uuid()}}",
      found: []),
    Case(name: "read with a query", steps: "a: {get: /x?page=2}\nb: {post: /x}", found: ["likely-race"]),
    Case(name: "the same query", steps: "a: {put: /x?user=a}\nb: {get: /x?user=a}", found: ["likely-race"]),
    Case(name: "another query", steps: "a: {put: /x?user=a}\nb: {get: /x?user=b}", found: []),
    Case(name: "a whole URL", steps: "a: {put: http://h/v1/x}\nb: {get: /x}", found: ["likely-race"]),
    Case(name: "another host", steps: "a: {put: http://other/v1/x}\nb: {get: /x}", found: []),
    Case(name: "a cleanup", steps: "a: {post: /x}\nb: {get: /x/${a.id}}\nc: {delete: /x/${a.id}, cleanup: a}", found: []),
    Case(
      name: "readers between writers",
      steps: "w: {put: /x}\na: {get: /x, after: w}\nb: {get: /x, after: w}\nv:\n  put: /x\n  after: [a, b]",
      found: []),
    Case(
      name: "a reader beside the second writer", steps: "w: {put: /x}\na: {get: /x, after: w}\nv: {put: /x, after: w}",
      found: ["likely-race"]),
    Case(
      name: "two downloads", steps: "a: {get: /a, download: {to: out/f}}\nb: {get: /b, download: {to: ./out/f}}",
      found: ["download-conflict"]),
    Case(
      name: "one after the other", steps: "a:\n  get: /a\n  download: {to: f}\nb:\n  get: /b\n  after: a\n  download: {to: f}",
      found: ["download-conflict"]),
    Case(
      name: "one after the other, replacing",
      steps: "a:\n  get: /a\n  download: {to: f}\nb:\n  get: /b\n  after: a\n  download: {to: f, replace: true}", found: []),
    Case(
      name: "the later one stands above",
      steps: "b:\n  get: /b\n  after: a\n  download: {to: f, replace: true}\na:\n  get: /a\n  download: {to: f}",
      found: []),
    Case(name: "a path that is often an echo", steps: "a: {put: /anything}\nb: {get: /anything?x=1}", found: ["likely-race"]),
    Case(name: "one file for all items", steps: "a: {get: /x, for_each: [1, 2], download: f}", found: ["download-conflict"]),
    Case(name: "a file for each item", steps: "a: {get: /x, for_each: [1, 2], download: '${index}'}", found: []),
    Case(name: "one file for one item", steps: "a: {get: /x, for_each: [1], download: f}", found: []),
    Case(
      name: "one snapshot for all items", steps: "a: {get: /x, for_each: [1, 2], expect: {snapshot: new.snap}}", found: ["shared-snapshot"]),
    Case(name: "one alone", steps: "a: {put: /x, exclusive: true}\nb: {get: /x}", found: []),
    Case(name: "the other alone", steps: "a: {put: /x}\nb: {get: /x, exclusive: true}", found: []),
    Case(name: "one slot for both", steps: "a: {put: /x, uses: [db]}\nb: {get: /x, uses: [db, two]}", found: []),
    Case(name: "two slots", steps: "a: {put: /x, uses: [two]}\nb: {get: /x, uses: [two]}", found: ["likely-race"]),
    Case(name: "slots of others", steps: "a: {put: /x, uses: [db]}\nb: {get: /x, uses: [other]}", found: ["likely-race"]),
    Case(
      name: "two expressions with one path",
      steps: "o: {get: /}\na: {get: /a, download: '${o.status}.x'}\nb: {get: /b, download: '${o.status}.x'}", found: ["download-conflict"]),
    Case(name: "two files", steps: "a:\n  get: /a\n  download: {to: f}\nb:\n  get: /b\n  download: {to: g}", found: []),
  ]) func `in each sample plan, the check finds all races between requests and all conflicts over files, and no others`(_ test: Case) throws
  {
    let steps = test.steps.split(separator: "\n").map { "  \($0.hasPrefix("  ") ? "  " : "")\($0.drop { $0 == " " })\n" }.joined()
    let plan = try Sample.plan("resources: {db: 1, two: 2, other: 1}\ndefaults: {base_url: http://h/v1}\nsteps:\n\(steps)")
    #expect(plan.check().all.map(\.code.rawValue) == test.found)
  }

  @Test func `if the URLs of steps in two documents contain the same expression, no race between these steps is reported`() throws {
    let first = "steps:\n  a: {get: /}\n  w: {put: /${a.id}}\n"
    let second = "steps:\n  a: {get: /}\n  r: {get: /${a.id}}\n  s: {put: /}\n"
    #expect(try Sample.plan(first, second).check().all.count == 2)
  }

  @Test func `if two steps may use a URL at the same time, the suggested fix makes one step wait for the other`() throws {
    let plan = try Sample.plan(
      """
      steps:
        update:
          put: /settings
        look:   # a comment
          # and another
          get: /settings
        glance: {get: /settings}
        peek:
          get: /settings
          after: look
        one:
          get: /a
          download: {to: out/a.bin}
        two:
          get: /b
          download: {to: out/a.bin}
        three:
          get: /c
          after: two
          download: {to: out/a.bin}
      """)
    let found = plan.check()
    expectGolden(plainText(found), "likely-races.txt")
    // Applying each fix gives a document in which one more step waits.
    for diagnostic in found.all {
      for help in diagnostic.helps {
        // Replacing a file does not change the order.
        guard let fix = help.fix, !fix.replacement.contains("replace: true") else { continue }
        var bytes = fix.range.file.bytes
        bytes.replaceSubrange(fix.range.offsets, with: Array(fix.replacement.utf8))
        let mended = try Sample(files: [("test.yaml", String(decoding: bytes, as: UTF8.self))], isWrittenOut: true).plan()
        #expect(mended.graph.edgeCount == plan.graph.edgeCount + 1, "\(fix.replacement)")
      }
    }
  }

  @Test func `the planner limits the number of warnings about steps that may read and write a URL at the same time`() throws {
    var text = "steps:\n"
    for index in 0..<5000 { text += "  s\(index): {\(index % 2 == 0 ? "put" : "get"): /x}\n" }
    #expect(try Sample.plan(text).check().all.count == 3)
    text = "steps:\n"
    for index in 0..<200 { text += "  p\(index): {put: /\(index)}\n  g\(index): {get: /\(index)}\n" }
    #expect(try Sample.plan(text).check().all.count == 50)
    #expect(try Sample.plan(text).check(limit: 7).all.count == 7)
  }

  static let head = "garland: 1\ndefaults: {base_url: http://h}\nsteps:\n"

  @Test(arguments: [
    ("  a: {post: /a, body: {file: none/x.bin}}\n", ["missing-file"]),
    ("  a: {post: /a, multipart: {f: {file: none/x.bin}}}\n", ["missing-file"]),
    ("  a: {post: /a, expect: {sha256: {file: none/x.bin}}}\n", ["missing-file"]),
    ("  a: {post: /a, body: {file: none/x.bin}}\n  b: {get: /b, download: none/x.bin}\n", []),
    ("  a: {post: /a, body: {file: ./none/x.bin}}\n  b: {get: /b, download: none/x.bin}\n", []),
    ("  a: {post: /a, body: {file: none/x.bin}}\n  b: {get: /b, download: none/y.bin}\n", ["missing-file"]),
  ])
  func `if a step uses a missing file, the check of the plan reports the file unless another step downloads it`(
    _ steps: String, _ found: [String]
  ) throws {
    let plan = try Sample(files: [("test.yaml", Self.head + steps)], isWrittenOut: true).plan()
    #expect(plan.check().all.map(\.code.rawValue) == found)
    guard found.isEmpty else { return }
    #expect(try plan.isBefore("b", "a"))
  }

  @Test func `a file that a step sends is not reported as missing if a step of another document downloads it`() throws {
    let plan = try Sample(
      files: [
        ("use.yaml", Self.head + "  a: {post: /a, body: {file: none/x.bin}}\n"),
        ("bring.yaml", Self.head + "  b: {get: /b, download: none/x.bin}\n"),
      ], isWrittenOut: true
    ).plan()
    #expect(plan.check().isEmpty)
    #expect(try plan.isBefore("b", "a"))
  }

  @Test func `a missing file for a request body is reported even if the document has other errors`() {
    let access = FileAccess(Sample.AllFiles(), roots: ["/project"])
    func codes(_ steps: String) -> [String] {
      let bytes = Array((Self.head + steps).utf8)
      return WorkflowDecoder.decode(name: "t.yaml", bytes: bytes, directory: "/project", options: .init(files: access))
        .diagnostics.all.map(\.code.rawValue).sorted()
    }
    #expect(codes("  a: {post: /a, body: {file: none/x.bin}, exepct: {}}\n") == ["missing-file", "unknown-key"])
    #expect(codes("  a: {post: /a, body: {file: none/x.bin}, exepct: {}}\n  b: {get: /b, download: none/x.bin}\n") == ["unknown-key"])
  }

  @Test func `a secret or environment variable that is not set causes a warning`() throws {
    let plan = try Sample(
      files: [
        (
          "test.yaml",
          """
          garland: 1
          vars: {where: "${env.PLACE}", spare: "${env.SPARE ?? 'x'}"}
          secrets: [TOKEN, UNUSED, OTHER]
          defaults: {base_url: http://h}
          steps:
            a: {get: "/${vars.where}/${vars.spare}", bearer: "${secrets.TOKEN}"}
            b: {get: /b, bearer: "${secrets.OTHER ?? 'none'}"}

          """
        )
      ], isWrittenOut: true
    ).plan()
    func found(_ secrets: [String: String], _ environment: [String: String]) -> [String] {
      plan.unsetValues(secrets: secrets, environment: environment).all.map { "\($0.severity) \($0.message)" }
    }
    #expect(
      found([:], [:]) == [
        "warning the environment variable `PLACE` is not set", "warning the secret `TOKEN` is not set",
      ])
    #expect(found(["TOKEN": "x"], ["PLACE": "y"]) == [])
    #expect(found([:], ["PLACE": "y", "TOKEN": "x"]) == [])
  }

  @Test(arguments: [
    ("out/${vars.name}.bin", "out/f.bin"), ("${vars.folder}/f.bin", "./out/f.bin"), ("${vars.path}", "out/${vars.name}.bin"),
  ])
  func `two downloads conflict if their paths have the same value, even if the paths use different variables`(first: String, second: String)
    throws
  {
    let text = """
      garland: 1
      vars: {name: f, folder: out, path: "${vars.folder}/f.bin"}
      defaults: {base_url: http://h}
      steps:
        a: {get: /a, download: "\(first)"}
        b: {get: /b, download: "\(second)"}

      """
    let found = try Sample(files: [("test.yaml", text)], isWrittenOut: true).plan().check().all
    #expect(found.map(\.code) == [.downloadConflict], "\(found.map(\.message))")
  }

  @Test func `if steps of different documents download to the same file, the error names both steps and suggests no fix`() throws {
    let texts = ["a.yaml", "b.yaml"].map { (name: $0, text: Self.head + "  one: {get: /a, download: f}\n") }
    let found = try Sample(files: texts, isWrittenOut: true).plan().check().all
    #expect(
      found.map(\.message) == ["the steps `a.yaml#one` and `b.yaml#one` download to the same file, and may do so at the same time"])
    #expect(found.flatMap(\.helps).allSatisfy { $0.fix == nil && !$0.message.contains("after") })
  }

  @Test func `if two downloads conflict because the second has 'replace: false', the fix changes it to 'replace: true'`() throws {
    let text = """
      garland: 1
      defaults: {base_url: http://h}
      steps:
        a: {get: /a, download: {to: f}}
        b: {get: /b, after: a, download: {to: f, replace: false}}

      """
    let plan = try Sample(files: [("test.yaml", text)], isWrittenOut: true).plan()
    let conflict = try #require(plan.check().all.first { $0.code == .downloadConflict })
    let fix = try #require(conflict.helps.lazy.compactMap(\.fix).first)
    #expect(fix.replacement == "true" && fix.range.text == "false")
  }

  @Test func `the check of a plan reports a download path, cookie file or cache folder that is outside the project`() throws {
    let plan = try Sample(
      files: [
        (
          "test.yaml",
          """
          garland: 1
          defaults: {base_url: http://h, cache: {dir: ../everywhere}}
          steps:
            a: {get: /a, download: ../outside.txt}
            b: {get: /b, cookies: /jar.txt}
            c: {get: /c, download: inside/c.txt, cache: {dir: inside}}
            d: {get: /d, download: "${run.id}/../../d.txt"}

          """
        )
      ], isWrittenOut: true
    ).plan()
    let files = FileAccess(SystemFiles(), roots: ["/tmp"])
    #expect(plan.check().all.isEmpty)
    let found = plan.check(files: files, workingDirectory: "/tmp").all
    #expect(found.map(\.code) == [.fileOutside, .fileOutside, .fileOutside])
    #expect(
      Set(found.map(\.message)) == [
        "`../outside.txt` leads outside the project", "`../everywhere` leads outside the project",
        "`/jar.txt` leads outside the project",
      ])
  }

  @Test func `a download to the path of an existing folder is an error, unless the server chooses the file name`() throws {
    let plan = try Sample(
      files: [
        (
          "test.yaml",
          """
          garland: 1
          defaults: {base_url: http://h}
          steps:
            a: {get: /a, download: there}
            b: {get: /b, download: {to: other, name: suggested}}
            c: {get: /c, download: there/c.txt}

          """
        )
      ], isWrittenOut: true
    ).plan()
    let folder = try TemporaryFolder()
    for name in ["there/x", "other/x"] { try folder.write(name, "") }
    let found = plan.check(files: FileAccess(SystemFiles(), roots: [folder.path]), workingDirectory: folder.path).all
    #expect(found.map { "\($0.code.rawValue) \($0.message)" } == ["file `there` is a folder, not a file"])
  }
}
