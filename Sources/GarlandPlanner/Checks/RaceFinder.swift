import GarlandDiagnostics
import GarlandWorkflow

/// Finds races: pairs of steps that may run at the same time and use the same URL, if at least one of the two steps writes to this URL.
///
/// - Two steps that only read don't race; GET, HEAD, OPTIONS and TRACE read (RFC 9110 §9.2.1, safe methods).
/// - Two POSTs are no race: each creates its own resource, or does independent work, as with GraphQL. A POST and a GET are a race: the GET
///   may or may not return the resource that the POST creates.
/// - A POST of one document and a GET of another document are no race: documents that run at the same time do not depend on each other's
///   resources.
/// - If two URLs differ only in their queries, and both have a query, they are two resources.
/// - An `exclusive` step never runs at the same time as another step, and neither do two steps that both need the only slot of a resource.
/// - The words of a path are not interpreted. A user who knows that the server stores nothing at a URL can avoid the warning with
///   `exclusive`, with a resource, or with an order of the steps.
///
/// Steps are grouped by URL. Two limits keep the time of the search proportional to the number of steps. In a group of more than
/// ``largestFullGroup`` steps, each step is compared only with the steps that follow it closely in the order of the plan. The search for an
/// order between two steps has a budget. In a very large document, a race may therefore be missed at first; it is found once the reported
/// races are fixed.
struct RaceFinder {
  static let largestFullGroup = 64
  static let largestNumberPerGroup = 3
  static let neighbours = 8

  let plan: Plan
  let limit: Int

  private enum Access {
    case read, create, change

    init(_ method: String) {
      switch method {
      case "GET", "HEAD", "OPTIONS", "TRACE": self = .read
      case "POST", "CONNECT": self = .create
      default: self = .change
      }
    }

    func disturbs(_ other: Access) -> Bool {
      switch (self, other) {
      case (.read, .read), (.create, .create): false
      default: true
      }
    }
  }

  private struct Use {
    let step: Int
    let access: Access
    let identity: URLIdentity
    let request: RequestTemplate
  }

  func report(to list: inout DiagnosticList, _ oracle: inout OrderOracle) {
    var reported = 0
    for group in groups() {
      var inGroup = 0
      for (first, second) in candidates(group) {
        guard reported < limit, inGroup < RaceFinder.largestNumberPerGroup, oracle.budget > 0 else { break }
        if oracle.order(of: first.step, and: second.step) == .unordered, first.identity.isSame(as: second.identity) {
          list.report(diagnostic(first, second))
          reported += 1
          inGroup += 1
        }
      }
      if reported == limit { return }
    }
  }

  /// A request that a step sends to a resource. These entries are later grouped by resource. An entry has only 16 bytes, since a plan may
  /// have one for each step.
  private struct Entry {
    let resource: Int
    let step: Int32
    let access: Access
  }

  /// Returns the groups of requests that may conflict. Each group contains all requests to one resource that a step writes and that at
  /// least one other step reads or writes.
  private func groups() -> [[Use]] {
    // If an expression determines the method, the effect of the request is unknown.
    let accesses = plan.steps.map { planned in
      planned.step.request.flatMap { $0.methodTemplate == nil ? Access($0.method.value) : nil }
    }
    guard accesses.contains(where: { $0 != nil && $0 != .read }) else { return [] }
    var entries: [Entry] = []
    entries.reserveCapacity(plan.steps.count)
    for planned in plan.steps {
      guard let access = accesses[planned.index], let identity = identity(planned) else { continue }
      entries.append(Entry(resource: identity.resource, step: Int32(planned.index), access: access))
    }
    entries.sort { $0.resource != $1.resource ? $0.resource < $1.resource : $0.step < $1.step }
    var groups: [[Use]] = []
    var start = 0
    while start < entries.count {
      let end = entries[start...].firstIndex { $0.resource != entries[start].resource } ?? entries.count
      if end - start > 1, entries[start..<end].contains(where: { $0.access != .read }) {
        groups.append(entries[start..<end].compactMap(use))
      }
      start = end
    }
    // Hashes differ in each process, but the reported diagnostics must have the same order.
    return groups.sorted { ($0.dropFirst().first?.step ?? 0) < ($1.dropFirst().first?.step ?? 0) }
  }

  private func identity(_ planned: PlannedStep) -> URLIdentity? {
    guard let request = planned.step.action.addressed, !planned.step.flow.exclusive else { return nil }
    return URLIdentity(request, document: planned.workflowIndex)
  }

  private func use(_ entry: Entry) -> Use? {
    let planned = plan.steps[Int(entry.step)]
    guard let request = planned.step.request, let identity = identity(planned) else { return nil }
    return Use(step: planned.index, access: entry.access, identity: identity, request: request)
  }

  /// Whether both steps use a resource that only one step can use at a time, so that one step waits until the other has ended.
  private func takeTurns(_ left: Use, _ right: Use) -> Bool {
    let own = onlySlots(left)
    return !own.isEmpty && !own.isDisjoint(with: onlySlots(right))
  }

  private func onlySlots(_ use: Use) -> Set<String> {
    let planned = plan.steps[use.step]
    let resources = planned.workflow.resources
    return Set(planned.step.flow.uses.map { resources[$0.resource] }.filter { $0.count == 1 }.map(\.name.value))
  }

  /// Whether the two steps are in different documents, and both only create or read objects on the server.
  private func areDocumentsApart(_ left: Use, _ right: Use) -> Bool {
    left.access != .change && right.access != .change && isAcrossDocuments(left, right)
  }

  private func isAcrossDocuments(_ left: Use, _ right: Use) -> Bool {
    plan.steps[left.step].workflowIndex != plan.steps[right.step].workflowIndex
  }

  private func areNear(_ left: URLIdentity, _ right: URLIdentity) -> Bool {
    left.query == nil || right.query == nil || left.query == right.query
  }

  private func candidates(_ group: [Use]) -> [(Use, Use)] {
    var pairs: [(Use, Use)] = []
    for first in group.indices {
      let end = group.count > RaceFinder.largestFullGroup ? min(group.count, first + 1 + RaceFinder.neighbours) : group.count
      for second in (first + 1)..<max(end, first + 1) {
        let (left, right) = (group[first], group[second])
        if left.access.disturbs(right.access), areNear(left.identity, right.identity), !takeTurns(left, right),
          !areDocumentsApart(left, right)
        {
          pairs.append((left, right))
        }
      }
    }
    return pairs
  }

  private func diagnostic(_ first: Use, _ second: Use) -> Diagnostic {
    // The step that creates should come first. If it changes or deletes the resource that the other step reads, only the user knows the
    // order.
    let (before, after) = second.access == .create && first.access == .read ? (second, first) : (first, second)
    let source = plan.steps[before.step]
    let target = plan.steps[after.step]
    let warning = Diagnostic(
      .likelyRace, severity: .warning,
      "the steps `\(source.step.id)` and `\(target.step.id)` may run at the same time, and \(what(before, after, source, target))",
      at: after.request.url.range, label: "\(after.request.method.value), in `\(target.step.id)`"
    )
    .note("the step `\(source.step.id)` uses the same URL with \(before.request.method.value)", at: before.request.url.range)
    // A step cannot refer to a step of a document that its own document does not use.
    guard !isAcrossDocuments(first, second) else {
      return warning.help("write `exclusive: true` in one of the steps, or run the documents one after the other")
    }
    let (advice, fix) = plan.afterHelp(source, in: target)
    return warning.choice(advice, fix: fix)
  }

  private func what(_ first: Use, _ second: Use, _ source: PlannedStep, _ target: PlannedStep) -> String {
    switch (first.access, second.access) {
    case (.read, _): "`\(target.step.id)` writes to the URL that `\(source.step.id)` reads"
    case (_, .read): "`\(source.step.id)` writes to the URL that `\(target.step.id)` reads"
    default: "both write to the same URL"
    }
  }
}
