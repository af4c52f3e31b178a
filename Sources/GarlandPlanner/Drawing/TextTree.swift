import GarlandDiagnostics
import GarlandWorkflow

extension Plan {
  /// Draws the plan as a tree. Each step occurs once, below the dependency that has the longest chain of steps before it. The line of a
  /// step ends with a list of all its dependencies.
  ///
  /// Deep trees would be too wide for the page. So from a certain depth on, the child with the largest subtree is not indented more than
  /// its parent, and is marked `↓`. The indent then grows only with the logarithm of the number of steps.
  func text(_ options: DrawingOptions = DrawingOptions()) -> String {
    TextTree(plan: self, options: options).text()
  }
}

struct TextTree {
  static let deepestIndent = 8
  static let widestName = 48
  static let widestAction = 56

  private let plan: Plan
  private let options: DrawingOptions
  private let marked: NodeSet
  private let levels: [Int32]
  private var children: [[Int32]]
  private var sizes: [Int32]
  private var roots: [Int] = []

  init(plan: Plan, options: DrawingOptions) {
    self.plan = plan
    self.options = options
    marked = plan.marked(options)
    levels = plan.stepLevels()
    children = [[Int32]](repeating: [], count: plan.steps.count)
    sizes = [Int32](repeating: 1, count: plan.steps.count)
    var parents = [Int](repeating: -1, count: plan.steps.count)
    for planned in plan.steps {
      parents[planned.index] = parent(of: planned) ?? -1
      if parents[planned.index] < 0 {
        roots.append(planned.index)
      } else {
        children[parents[planned.index]].append(Int32(planned.index))
      }
    }
    for node in plan.order.reversed() where !plan.isJoin(Int(node)) && parents[Int(node)] >= 0 {
      sizes[parents[Int(node)]] += sizes[Int(node)]
    }
  }

  /// Returns the parent of the step `planned` in the drawn tree: the step under which `planned` is drawn.
  ///
  /// The parent is a step of the same document for which `planned` waits. If there are several such steps, the parent is the step with the
  /// longest chain of dependencies before it. Returns nil if `planned` waits for no step of its document.
  private func parent(of planned: PlannedStep) -> Int? {
    var best: Int?
    for source in plan.graph.predecessors(of: planned.index).map(Int.init) where !plan.isJoin(source) {
      guard plan.steps[source].workflowIndex == planned.workflowIndex else { continue }
      if best.map({ levels[source] > levels[$0] }) ?? true { best = source }
    }
    return best
  }

  private struct Line {
    let tree: String
    let step: Int
  }

  func text() -> String {
    var result = ""
    let lines = lines()
    let nameWidth = min(TextTree.widestName, lines.map { TextTree.width($0.tree) + TextTree.width(plan.steps[$0.step].step.id) }.max() ?? 0)
    let actionWidth = min(TextTree.widestAction, plan.steps.map { TextTree.width($0.action) }.max() ?? 0)
    var document = -1
    for line in lines {
      let planned = plan.steps[line.step]
      if planned.workflowIndex != document {
        if document >= 0 { result += "\n" }
        document = planned.workflowIndex
        result += heading(planned.workflow) + "\n\n"
      }
      var text = line.tree + planned.step.id
      text += TextTree.padding(text, nameWidth) + "  " + planned.action
      let notes = notes(planned)
      if !notes.isEmpty { text += TextTree.padding(text, nameWidth + 2 + actionWidth) + "  " + notes }
      result += text + "\n"
    }
    let statistics = plan.statistics()
    return result
      + "\n\(TextTree.count(statistics.steps, "step")), \(TextTree.count(statistics.edges, "edge")), depth \(statistics.depth), width \(statistics.width)\n"
  }

  private func heading(_ workflow: Workflow) -> String {
    guard let name = workflow.name?.value else { return workflow.file.name }
    return "\(DisplayText.visible(name)) · \(DisplayText.visible(workflow.file.name))"
  }

  private func lines() -> [Line] {
    struct Entry {
      let step: Int
      let depth: Int
      let lead: String
      let mark: String
      let below: String
    }
    var lines: [Line] = []
    lines.reserveCapacity(plan.steps.count)
    var pending: [Entry] = roots.reversed().map { Entry(step: $0, depth: 0, lead: "", mark: "", below: "") }
    while let entry = pending.popLast() {
      lines.append(Line(tree: entry.lead + entry.mark, step: entry.step))
      var below = children[entry.step].map(Int.init)
      guard !below.isEmpty else { continue }
      var continuation: Entry?
      if entry.depth >= TextTree.deepestIndent, let largest = below.max(by: { sizes[$0] < sizes[$1] }) {
        below.removeAll { $0 == largest }
        let bar = entry.mark.hasPrefix("├") || entry.mark.hasPrefix("│") ? "│" : " "
        continuation = Entry(step: largest, depth: entry.depth, lead: entry.lead, mark: "\(bar)↓ ", below: entry.below)
      }
      if let continuation { pending.append(continuation) }
      for (offset, child) in below.enumerated().reversed() {
        let isLast = offset == below.count - 1
        pending.append(
          Entry(
            step: child, depth: entry.depth + 1, lead: entry.below, mark: isLast ? "└─ " : "├─ ",
            below: entry.below + (isLast ? "   " : "│  ")))
      }
    }
    return lines
  }

  private func notes(_ planned: PlannedStep) -> String {
    var words: [String] = []
    let waits = waits(planned)
    if !waits.isEmpty { words.append("← " + waits) }
    if planned.step.flow.always { words.append("[always]") }
    if let when = planned.step.flow.when {
      words.append("[when \(TextTree.oneLine(options.mask(when.range.text), limit: 40))]")
    }
    if planned.step.flow.allowFailure { words.append("[may fail]") }
    if let duration = options.durations?[planned.index] { words.append("(\(Plan.durationText(duration)))") }
    if marked.contains(planned.index) { words.append("◆") }
    return words.joined(separator: "  ")
  }

  private func waits(_ planned: PlannedStep) -> String {
    let shown = 4
    var words: [String] = []
    var hasJoin = false
    for edge in plan.graph.edges(to: planned.index) {
      let source = Int(plan.graph.sources[edge])
      if plan.isJoin(source) {
        hasJoin = true
      } else if words.count <= shown {
        words.append(contentsOf: self.words(for: edge, plan.name(of: source, from: planned.index)))
      }
    }
    if hasJoin, let cleanup = planned.step.flow.cleanup { words.append("after every step that uses \(cleanup.range.text)") }
    let total = plan.graph.predecessorCount(of: planned.index)
    let more = words.count > shown && total > shown ? " and \(total - shown) more" : ""
    return words.prefix(more.isEmpty ? words.count : shown).joined(separator: ", ") + more
  }

  /// Returns the reasons why a step depends on the step named `source`, as phrases for the tree: first the values that the step uses, such
  /// as `create.id`, then other reasons, such as `after create`.
  private func words(for edge: Int, _ source: String) -> [String] {
    var values: [String] = []
    var others: [String] = []
    for reason in plan.reasons(of: edge) {
      switch reason {
      case .reference(let reference):
        let text = "\(source).\(reference.name)\(reference.isOptional ? "?" : "")"
        if !values.contains(text) { values.append(text) }
      case .after(let after): others.append(after.condition == .ended ? "after \(source) (ended)" : "after \(source)")
      case .fileOrder: if plan.facts(of: edge) == .fileOrder { others.append("below \(source)") }
      case .cleanup: others.append("cleanup of \(source)")
      case .cleanupWait: others.append("once \(source) has ended")
      case .file(let link): others.append("file \(link.path) of \(source)")
      }
    }
    let most = 3
    if values.count > most { values = Array(values.prefix(most)) + ["…"] }
    return values + others
  }

  private static func oneLine(_ text: String, limit: Int) -> String {
    let line = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return line.count > limit ? line.prefix(limit - 1) + "…" : line
  }

  static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

  private static func width(_ text: String) -> Int { text.unicodeScalars.count }

  private static func padding(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - self.width(text)))
  }
}
