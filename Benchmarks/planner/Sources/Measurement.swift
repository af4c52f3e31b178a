import GarlandDiagnostics
import GarlandPlanner
import GarlandWorkflow
import GarlandYAML
import Glibc

/// The stages from bytes to a plan, one after another.
enum Measurement {
  static func plan(_ arguments: [String]) {
    guard arguments.count == 3, let shape = Shape(rawValue: arguments[1]), let count = Int(arguments[2]) else { return refuse() }
    let before = Stopwatch.peakMemory
    let references = shape.references(steps: count)
    measure(Shape.document(references), named: shape.rawValue, references, since: before)
  }

  /// Random references, some of which are to cleanups: steps that look whether something is gone.
  static func cleanups(_ arguments: [String]) {
    guard arguments.count == 3, let count = Int(arguments[1]), let cleanups = Int(arguments[2]) else { return refuse() }
    let before = Stopwatch.peakMemory
    var generator = SeededGenerator(seed: 7)
    let every = max(2, count / max(1, cleanups))
    var references: [[Int32]] = []
    var text = Array("garland: 1\ndefaults: { base_url: 'http://127.0.0.1:1' }\nsteps:\n".utf8)
    for step in 0..<count {
      // Each of these cleans up after the step before it.
      let isCleanup = step % every == every - 1
      let used = step == 0 || isCleanup ? [] : (0..<2).map { _ in Int32.random(in: 0..<Int32(step), using: &generator) }
      references.append(isCleanup ? [Int32(step - 1)] : used)
      text += Array("  s\(step): { get: /\(step)\(used.map { "?a=${s\($0).id}" }.joined()), extract: { id: $.id }".utf8)
      text += Array(isCleanup ? ", cleanup: s\(step - 1) }\n".utf8 : " }\n".utf8)
    }
    measure(text, named: "\(cleanups) cleanups", references, since: before)
  }

  private static func measure(_ document: [UInt8], named name: String, _ references: [[Int32]], since before: Int) {
    let count = references.count
    let edges = references.reduce(0) { $0 + $1.count }
    // Warm, and the best of three, since the other side is measured once.
    let yardstick = (0..<3).map { _ in Stopwatch.time { Shape.plainSort(references) } }.map(\.milliseconds).min() ?? 1
    let files = FileAccess(SystemFiles(), roots: ["/nowhere"])
    let (decoding, decoded) = Stopwatch.time {
      WorkflowDecoder.decode(name: "benchmark.yaml", bytes: document, directory: "/nowhere", options: .init(files: files))
    }
    guard let workflow = decoded.workflow else { return refuse("the document is wrong") }
    let (planning, planned) = Stopwatch.time { Planner(workingDirectory: "/nowhere").plan([workflow]) }
    guard let plan = planned.plan else { return refuse("there is a cycle") }
    let (checking, diagnostics) = Stopwatch.time { plan.check() }
    guard !diagnostics.hasErrors else { return refuse("the plan is wrong") }
    let memory = Double(Stopwatch.peakMemory - before) / 1_024 / Double(count)
    print(
      "{\"name\": \"\(name)\", \"steps\": \(count), \"references\": \(edges), \"decode_ms\": \(decoding), \"plan_ms\": \(planning),",
      "\"check_ms\": \(checking), \"sort_ms\": \(yardstick), \"kib_a_step\": \(memory), \"edges\": \(plan.graph.edgeCount)}")
  }

  private static func refuse(_ reason: String = "PlannerBenchmark without arguments tells its usage") {
    print(reason)
    exit(2)
  }
}
