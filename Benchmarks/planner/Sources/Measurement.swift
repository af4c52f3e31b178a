import GarlandDiagnostics
import GarlandPlanner
import GarlandText
import GarlandWorkflow
import GarlandYAML
import Glibc

/// The stages from bytes to a plan, one after another.
enum Measurement {
  /// A document of a form: `plan SHAPE STEPS`, `cleanups STEPS COUNT` or `cleanups STEPS COUNT chain`.
  private struct Subject {
    let name: String
    let references: [[Int32]]
    let document: [UInt8]

    init?(_ arguments: [String]) {
      guard arguments.count == 3 || arguments.count == 4 else { return nil }
      if arguments.count == 4 {
        guard arguments[3] == "chain", let count = Int(arguments[1]), let cleanups = Int(arguments[2]), 1..<max(2, count) ~= cleanups else {
          return nil
        }
        name = "\(cleanups) cleanups of a chain"
        (references, document) = Subject.chain(count, cleanups)
      } else if let shape = Shape(rawValue: arguments[1]), let count = Int(arguments[2]) {
        name = shape.rawValue
        references = shape.references(steps: count)
        document = Shape.document(references)
      } else if let count = Int(arguments[1]), let cleanups = Int(arguments[2]) {
        name = "\(cleanups) cleanups"
        (references, document) = Subject.cleanups(count, cleanups)
      } else {
        return nil
      }
    }

    /// Steps that use each the one before, and cleanups all along that need what the last of them gave: of each all that comes later are users, and all
    /// lead to its cleanup.
    private static func chain(_ count: Int, _ cleanups: Int) -> (references: [[Int32]], document: [UInt8]) {
      let length = count - cleanups
      var references: [[Int32]] = []
      var text = Array("garland: 1\ndefaults: { base_url: 'http://127.0.0.1:1' }\nsteps:\n".utf8)
      for step in 0..<length {
        references.append(step == 0 ? [] : [Int32(step - 1)])
        text += Array("  s\(step): { post: '/\(step)\(step == 0 ? "" : "?a=${s\(step - 1).id}")', extract: { id: $.id } }\n".utf8)
      }
      for cleanup in 0..<cleanups {
        let made = cleanup * length / cleanups
        references.append([Int32(made), Int32(length - 1)])
        text += Array("  x\(cleanup): { delete: '/${s\(length - 1).id}', cleanup: s\(made) }\n".utf8)
      }
      return (references, text)
    }

    /// Random references in suites of a thousand steps, some of which are to cleanups: steps that look whether something is gone.
    ///
    /// What uses something that is gone, and does not come after its cleanup, is used no more: otherwise that cleanup would have to wait for what comes
    /// after it.
    private static func cleanups(_ count: Int, _ cleanups: Int) -> (references: [[Int32]], document: [UInt8]) {
      var generator = SeededGenerator(seed: 7)
      let every = max(2, count / max(1, cleanups))
      var references: [[Int32]] = []
      var users = [[Int]](repeating: [], count: count)
      var usable: [Int] = []
      var made: Set<Int> = []
      var text = Array("garland: 1\ndefaults: { base_url: 'http://127.0.0.1:1' }\nsteps:\n".utf8)
      for step in 0..<count {
        if step.isMultiple(of: 1_000) { (usable, made) = ([], []) }
        var cleaned: Int?
        var used: [Int] = []
        if step % every == every - 1, let resource = usable.filter(made.contains).randomElement(using: &generator) {
          cleaned = resource
          var gone: Set<Int> = [resource]
          var pending = [resource]
          while let node = pending.popLast() {
            for user in users[node] where gone.insert(user).inserted { pending.append(user) }
          }
          usable.removeAll(where: gone.contains)
          users[resource].append(step)
        } else {
          used = Set((0..<2).compactMap { _ in usable.randomElement(using: &generator) }).sorted()
          made.insert(step)
        }
        for source in used { users[source].append(step) }
        usable.append(step)
        references.append((used + (cleaned.map { [$0] } ?? [])).map { Int32($0) })
        text += Array("  s\(step): { get: '/\(step)\(used.map { "?a=${s\($0).id}" }.joined())', extract: { id: $.id }".utf8)
        text += Array((cleaned.map { ", cleanup: s\($0) }\n" } ?? " }\n").utf8)
      }
      return (references, text)
    }
  }

  /// Writes the document of a form to the standard output.
  static func document(_ arguments: [String]) {
    guard let subject = Subject(arguments) else { return refuse() }
    print(String(decoding: subject.document, as: UTF8.self), terminator: "")
  }

  static func plan(_ arguments: [String]) {
    guard let subject = Subject(arguments) else { return refuse() }
    let count = subject.references.count
    let edges = subject.references.reduce(0) { $0 + $1.count }
    // Warm, and the best of three, since the other side is measured once.
    let yardstick = (0..<3).map { _ in Stopwatch.time { Shape.plainSort(subject.references) } }.map(\.time.processor).min() ?? 1
    let files = FileAccess(SystemFiles(), roots: ["/nowhere"])
    let (decoding, decoded) = Stopwatch.time {
      WorkflowDecoder.decode(name: "benchmark.yaml", bytes: subject.document, directory: "/nowhere", options: .init(files: files))
    }
    guard let workflow = decoded.workflow else { return refuse("the document is wrong") }
    let (planning, planned) = Stopwatch.time { Planner(workingDirectory: "/nowhere").plan([workflow]) }
    guard let plan = planned.plan else { return refuse("there is a cycle, found in \(planning.processor) ms") }
    let (checking, diagnostics) = Stopwatch.time { plan.check() }
    guard !diagnostics.hasErrors else { return refuse("the plan is wrong") }
    let times = [("decode", decoding), ("plan", planning), ("check", checking)]
      .map { "\"\($0)_ms\": \($1.wall), \"\($0)_cpu_ms\": \($1.processor)" }
    print(
      "{\"name\": \"\(subject.name)\", \"steps\": \(count), \"references\": \(edges), \(times.joined(separator: ", ")),",
      "\"sort_ms\": \(yardstick), \"edges\": \(plan.graph.edgeCount)}")
  }

  private static func refuse(_ reason: String = "PlannerBenchmark without arguments tells its usage") {
    print(reason)
    exit(2)
  }
}
