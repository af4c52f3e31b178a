import FoundationEssentials
import GarlandJSON
import TestSupport
import Testing

@testable import GarlandPlanner

struct DrawingTests {
  static let shop = """
    name: Bookshop smoke test
    defaults: {base_url: http://h}
    steps:
      health: {get: /health}
      create:
        post: /books
        description: Makes the book <that> all "others" & co use
      cover:
        put: /books/${create.id}/cover
        headers: ${create.etag ?? 1}
      tags:
        put: /books/${create.id}/tags
      read_back:
        get: /books/${create.id}/cover
        after: [cover, tags]
      audit:
        get: /audit
        after: {read_back: ended}
        allow_failure: true
      remove:
        delete: /books/${create.id}
        cleanup: create
      bye: {post: /bye, always: true, after: health}
    """

  @Test(arguments: DrawingFormat.allCases) func `the drawing of a plan in each format matches the golden file`(_ format: DrawingFormat)
    throws
  {
    expectGolden(try Sample.plan(DrawingTests.shop).drawing(format), "shop.\(format.rawValue)")
  }

  @Test(arguments: DrawingFormat.allCases) func `a plan's drawing shows durations and the critical path`(_ format: DrawingFormat) throws {
    let plan = try Sample.plan(DrawingTests.shop)
    let options = DrawingOptions(durations: [0.002, 0.08, nil, 0.5, 1.25, 0.01, 0.0301, 12], marksCriticalPath: true)
    expectGolden(plan.drawing(format, options), "shop-timed.\(format.rawValue)")
  }

  @Test(arguments: DrawingFormat.allCases)
  func `if a plan has two documents, a drawing of the plan shows both documents in each drawing format`(_ format: DrawingFormat) throws {
    let other = "order: file\nsteps:\n  up:\n    put: /u\n    body: {file: out/a.bin}\n  last: {get: /}\n"
    let plan = try Sample.plan("name: One\nsteps:\n  down:\n    get: /d\n    download: {to: out/a.bin}\n", other)
    expectGolden(plan.drawing(format), "two-documents.\(format.rawValue)")
  }

  @Test(arguments: DrawingFormat.allCases)
  func `a plan in which two cleanups wait for the same steps can be drawn in every format`(
    _ format: DrawingFormat
  )
    throws
  {
    var text = "steps:\n  a: {post: /}\n  b: {post: /}\n"
    for index in 0..<70 { text += "  u\(index): {get: /${a.id}${b.id}}\n" }
    text += "  xa: {delete: /${a.id}, cleanup: a}\n  xb: {delete: /${b.id}, cleanup: b}\n"
    let plan = try Sample.plan(text)
    // Both cleanups wait for the same steps.
    #expect(plan.joinCount == 1)
    #expect(try plan.waits(of: plan.index("xb")).count == 71)
    #expect(plan.drawing(format).utf8.count > 1000)
  }

  @Test func `in the drawing of a plan, characters with a special meaning in the file format, such as & in SVG, are escaped`() throws {
    let odd = #"/${uuid() == '<b>&c#d`e`;*f*%%{x}%%' }"#
    let name = #"'a "b" & <b> #1 \ %%{init}%%'"#
    let plan = try Sample.plan("name: \(name)\nsteps:\n  x_1:\n    get: \(odd)\n", "steps:\n  y: {get: /y}\n")
    for format in DrawingFormat.allCases { expectGolden(plan.drawing(format), "escapes.\(format.rawValue)") }
    let json = try #require(try? JSONValue(parsing: plan.drawing(.json)))
    #expect(json["steps"]?[0]?["url"]?.stringValue == plan.steps[0].step.request?.url.source)
    #expect(plan.steps[0].step.request?.url.source.contains("<b>&c") == true)
  }

  @Test func `a picture of a plan omits edges that are implied by other edges, unless an option shows all edges`() throws {
    let plan = try Sample.plan("steps:\n  a: {get: /a}\n  b: {get: '/b/${a.id}', after: a}\n  c: {get: '/c/${a.id}${b.id}'}\n")
    var options = DrawingOptions()
    func lines() -> Int { plan.svg(options).components(separatedBy: "marker-end=\"url(#tip)\"/>\n").count - 1 }
    #expect(lines() == 2)
    #expect(plan.svg(options).contains("1 edge that follows from others left out"))
    options.showsAllEdges = true
    #expect(lines() == 3)
  }

  @Test func `a plan's drawing keeps an edge that requires success if the longer path between the two steps allows a failure`() throws {
    let plan = try Sample.plan("steps:\n  a: {get: /a}\n  b: {get: /b, after: {a: ended}}\n  c: {get: '/c/${a.id}', after: b}\n")
    #expect(plan.svg().components(separatedBy: "marker-end=\"url(#tip)\"/>\n").count - 1 == 3)
  }

  @Test func `the drawing of a plan shows each document as a group that is labelled with the file name`() throws {
    let plan = try Sample.plan("name: One\nsteps:\n  a: {get: /}\n", "name: One\nsteps:\n  a: {get: /}\n")
    let picture = plan.svg()
    #expect(picture.components(separatedBy: "<rect class=\"group\"").count == 3)
    for workflow in plan.workflows { #expect(picture.contains(">\(workflow.file.name)</text>")) }
  }

  @Test func `in the drawing of a plan, two long step ids that differ only in the middle get different labels`() throws {
    let id = { (middle: String) in String(repeating: "a", count: 30) + middle + String(repeating: "z", count: 30) }
    let picture = try Sample.plan("steps:\n  \(id("x")): {get: /}\n  \(id("y")): {get: /}\n").svg()
    let labels = picture.split(separator: "<text x=").dropFirst().compactMap {
      $0.split(separator: ">").dropFirst().first?.split(separator: "<").first
    }
    #expect(labels.count == 2 && Set(labels).count == 2)
  }

  @Test func `the SVG drawing of a finished run shows each step's outcome and a legend`() throws {
    var options = DrawingOptions()
    options.outcomes = [.passed, .failed]
    let picture = try Sample.plan("steps:\n  a: {get: /}\n  b: {get: /}\n").svg(options)
    #expect(picture.contains("<g class=\"failed\">") && picture.contains(">✗ failed</text>") && picture.contains(">✓ passed</text>"))
    #expect(!picture.contains(">⊘ blocked</text>"))
  }

  @Test func `Graphviz draws every plan without an error`() async throws {
    // Edges lead from one document to the other and back.
    let one = "steps:\n  up: {put: /, body: {file: out/b.bin}}\n  down: {get: /, download: {to: out/a.bin}, after: up}\n"
    let two = "steps:\n  up: {put: /, body: {file: out/a.bin}}\n  down: {get: /, download: {to: out/b.bin}}\n"
    for plan in [try Sample.plan(DrawingTests.shop), try Sample.plan(one, two)] {
      let folder = try TemporaryFolder()
      let path = try folder.write("plan.dot", plan.dot())
      let result = try await ChildProcess.run("/usr/bin/dot", ["-Tsvg", path, "-o", path + ".svg"])
      #expect(result.status == 0 && result.error.isEmpty, "\(result.error)")
    }
  }

  @Test func `Graphviz accepts a plan in DOT format with the outcome of each step`() async throws {
    var options = DrawingOptions()
    options.outcomes = StepOutcome.allCases.map { $0 } + [nil]
    let steps = (0...StepOutcome.allCases.count).map { "  s\($0): {get: /}\n" }.joined()
    let text = try Sample.plan("steps:\n\(steps)").dot(options)
    #expect(
      text.contains("✓ s0") && text.contains("style=\"rounded,filled\", color=\"#1a7f4b\", fillcolor=\"#e8f6ee\", tooltip=\"passed\""))
    #expect(text.split(separator: "\n").count { $0.contains("fillcolor") } == StepOutcome.allCases.count)
    let folder = try TemporaryFolder()
    let path = try folder.write("plan.dot", text)
    let result = try await ChildProcess.run("/usr/bin/dot", ["-Tsvg", path, "-o", path + ".svg"])
    #expect(result.status == 0 && result.error.isEmpty, "\(result.error)")
  }

  @Test func `in a drawing for Graphviz, two documents with the same name get different titles`() throws {
    let text = try Sample.plan("name: One\nsteps:\n  a: {get: /}\n", "name: One\nsteps:\n  a: {get: /}\n").dot()
    let titles = text.split(separator: "\n").filter { $0.hasPrefix("    label=") }
    #expect(titles.count == 2 && Set(titles).count == 2, "\(titles)")
  }

  @Test func `a plan that is drawn as JSON contains its steps, dependencies and order`() throws {
    let plan = try Sample.plan(DrawingTests.shop)
    let json = try #require(try? JSONValue(parsing: plan.drawing(.json)))
    #expect(json["garland_plan"]?.intValue == 1)
    #expect(json["steps"]?.arrayValue?.count == plan.steps.count)
    #expect(json["order"]?.arrayValue?.compactMap(\.intValue) == plan.serialOrder)
    for (index, step) in plan.steps.enumerated() {
      let value = try #require(json["steps"]?[index])
      #expect(value["id"]?.stringValue == step.step.id)
      #expect(value["waits_for"]?.arrayValue?.compactMap { $0["step"]?.intValue } == plan.waits(of: index).map(\.step))
    }
  }

  @Test func `the text drawing of a plan with long dependency chains is less than 100 columns wide`() throws {
    var text = "steps:\n  s0: {get: /}\n"
    for index in 1..<2000 {
      text += "  s\(index): {get: /${s\(index - 1).id}}\n" + (index % 50 == 0 ? "  t\(index): {get: /${s\(index).id}}\n" : "")
    }
    let plan = try Sample.plan(text)
    let drawn = plan.text()
    let lines = drawn.split(separator: "\n")
    #expect(lines.count == plan.steps.count + 2)
    #expect(lines.allSatisfy { $0.count < 100 })
    for id in plan.ids { #expect(drawn.utf8.count > 0 && plan.ids.contains(id)) }
    expectGolden(lines.prefix(70).joined(separator: "\n") + "\n", "deep.text")
  }

  @Test func `the size of a plan's drawing grows linearly with the number of steps`() throws {
    func sizes(_ count: Int) throws -> [Int] {
      var text = "steps:\n"
      for index in 0..<count { text += "  s\(index): {get: /\(index == 0 ? "" : "${s\(index / 2).id}${s\(max(0, index - 7)).id}")}\n" }
      text =
        text.split(separator: "\n").map { $0.hasPrefix("  s1:") ? "  s1: {get: /${s0.id}}" : String($0) }.joined(separator: "\n") + "\n"
      let plan = try Sample.plan(text)
      return DrawingFormat.allCases.map { plan.drawing($0).utf8.count }
    }
    for (small, large) in zip(try sizes(100), try sizes(800)) { #expect(large < small * 12) }
  }

  @Test func `the explanation of a plan says why a step waits and what the critical path is`() throws {
    let plan = try Sample.plan(DrawingTests.shop)
    var text = ""
    for id in ["health", "cover", "read_back", "audit", "remove"] { text += plan.why(try plan.index(id)) + "\n" }
    expectGolden(text + plan.criticalPathText() + "\n" + plan.statisticsText(), "why.txt")
    let weights = [0.002, 0.08, 0.5, 0.5, 1.25, 0.01, 0.0301, 12]
    expectGolden(plan.criticalPathText(durations: weights) + "\n" + plan.statisticsText(durations: weights), "critical-path-timed.txt")
  }
}
