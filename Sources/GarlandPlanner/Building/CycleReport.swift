import GarlandDiagnostics
import GarlandWorkflow

/// Creates the diagnostics for steps that wait for each other in a cycle, so that none of them can start.
struct CycleReport {
  /// The maximum number of cycles that are reported.
  static let limit = 10
  /// The maximum number of edges that a diagnostic lists for one cycle. The diagnostic summarises the remaining edges.
  static let longestShown = 24

  let steps: [PlannedStep]
  let table: EdgeTable
  let origin: PlanOrigin

  func diagnostics() -> DiagnosticList {
    var list = DiagnosticList()
    for cycle in CycleFinder.cycles(of: table.graph, limit: CycleReport.limit) {
      list.report(diagnostic(links(of: cycle)))
    }
    return list
  }

  /// One edge of a cycle of steps: the step `target` waits for the step `source`, directly or through joins (nodes of the graph that
  /// only wait for other nodes).
  private struct Link {
    let source: PlannedStep
    let target: PlannedStep
    let reasons: [EdgeReason]
  }

  /// Returns the links of a cycle, beginning with the step that comes first in its document. Each further step waits for the step before
  /// it.
  private func links(of cycle: [Int]) -> [Link] {
    var nodes = cycle.map { Int(table.graph.targets[$0]) }
    var edges = cycle
    let first = nodes.filter { $0 < steps.count }.min() ?? 0
    while nodes.last != first, let node = nodes.popLast() {
      nodes.insert(node, at: 0)
      edges.insert(edges.removeLast(), at: 0)
    }
    // The last edge now leads to the first step, so the first edge begins at that step.
    var links: [Link] = []
    var source = first
    for (edge, node) in zip(edges, nodes) where node < steps.count {
      let target = steps[node]
      let isDirect = Int(table.graph.sources[edge]) == source
      let reasons =
        isDirect
        ? EdgeReason.reasons(of: edge, in: table, target: target.step, origin: origin)
        : target.step.flow.cleanup.map { [.cleanupWait($0)] } ?? []
      links.append(Link(source: steps[source], target: target, reasons: reasons))
      source = node
    }
    return links
  }

  private func diagnostic(_ links: [Link]) -> Diagnostic {
    let first = links[0].source
    var diagnostic =
      links.count == 1
      ? Diagnostic(
        .cycle, "the step `\(first.step.id)` waits for itself, so it can never start", at: primaryRange(links[0]),
        label: "this waits for `\(first.step.id)`")
      : Diagnostic(
        .cycle, "the steps \(names(links)) wait for each other, so \(links.count == 2 ? "neither" : "none") of them can start",
        at: first.step.idRange,
        label: "the cycle begins here")
    if links.count > 1 { addNotes(links, &diagnostic) }
    for link in links {
      guard let help = switchOff(link) else { continue }
      diagnostic = diagnostic.help(help)
    }
    if diagnostic.helps.isEmpty { diagnostic = diagnostic.help(advice(links)) }
    return diagnostic
  }

  private func primaryRange(_ link: Link) -> SourceRange {
    link.reasons.first?.range ?? link.target.step.idRange
  }

  private func names(_ links: [Link]) -> String {
    let all = links.map { "`\($0.source.step.id)`" }
    if all.count > 6 { return "\(all[0]), \(all[1]) … \(all[all.count - 1]) (\(all.count) steps)" }
    return all.dropLast().joined(separator: ", ") + " and " + all[all.count - 1]
  }

  private func addNotes(_ links: [Link], _ diagnostic: inout Diagnostic) {
    var index = 0
    var shown = 0
    while index < links.count {
      if shown == CycleReport.longestShown, index < links.count - 1 {
        diagnostic = diagnostic.note("and so on through \(links.count - 1 - index) more steps")
        index = links.count - 1
      }
      let run = links[index...].prefix { $0.reasons.allSatisfy(\.isFileOrder) }
      if run.count > 2, let last = run.last {
        diagnostic = diagnostic.note(
          "each of the \(run.count) steps below `\(links[index].source.step.id)`, up to `\(last.target.step.id)`, waits for the step above it, "
            + "because the document has `order: file`",
          at: last.target.step.idRange)
        index = run.endIndex
      } else {
        let link = links[index]
        let reason = link.reasons.first
        let words =
          reason?.sentence(source: link.source.step.id) ?? "`\(link.target.step.id)` cleans up a step that `\(link.source.step.id)` uses"
        diagnostic = diagnostic.note(
          "`\(link.target.step.id)` waits for `\(link.source.step.id)`: \(words)", at: reason?.range ?? link.target.step.idRange)
        index += 1
      }
      shown += 1
    }
  }

  /// Returns the advice to override the value in the document's `defaults` that makes the step `link.target` wait. Returns nil if the step
  /// also has other reasons to wait.
  private func switchOff(_ link: Link) -> String? {
    var keys: [String] = []
    for reason in link.reasons {
      guard case .reference(let reference) = reason, reference.place.isDefault else { return nil }
      keys.append(reference.place.key)
    }
    guard let key = keys.first else { return nil }
    let id = link.target.step.id
    var path = key.split(separator: ".").map(String.init)
    if path.first == "defaults" { path.removeFirst() }
    let name = path.dropFirst().joined(separator: ".")
    let remedy =
      switch path.first ?? "" {
      case "auth", "bearer", "basic", "digest": "`auth: none`"
      case "headers" where !name.isEmpty, "query" where !name.isEmpty, "cookies" where !name.isEmpty, "params" where !name.isEmpty:
        "`\(path[0]): {\(name): null}`"
      case "base_url": "a whole URL"
      case "expect": "an `\(path.joined(separator: "."))` of its own"
      case "json", "body", "multipart", "plist", "graphql", "form", "params": "a body of its own"
      default: "a `\(path.joined(separator: "."))` of its own"
      }
    return
      "`\(id)` inherits this reference from `\(key.hasPrefix("defaults") ? key : "defaults." + key)`: to override it, write \(remedy) in `\(id)`"
  }

  private func advice(_ links: [Link]) -> String {
    for link in links {
      if case .cleanupWait(let cleanup)? = link.reasons.first {
        return
          "`\(link.target.step.id)` runs after every step that uses `\(cleanup.range.text)`; remove one of the references, or replace `cleanup:` with `always: true` and `after:`"
      }
    }
    // The last link leads back to the first step of the document, so it is against the order.
    if links.contains(where: { $0.reasons.contains(where: \.isFileOrder) }), let link = links.last,
      link.source.workflowIndex == link.target.workflowIndex
    {
      return "with `order: file`, a step can only use steps above it: move `\(link.target.step.id)` below `\(link.source.step.id)`, "
        + "or remove `order: file`"
    }
    return links.count == 1 ? "remove this reference, or split the step in two" : "remove one of these references, or split a step in two"
  }
}

extension DiagnosticCode {
  /// The code of the error for steps that wait for each other.
  public static let cycle: DiagnosticCode = "cycle"
}

extension EdgeReason {
  fileprivate var isFileOrder: Bool { if case .fileOrder = self { true } else { false } }
}
