public import GarlandDiagnostics
import GarlandWorkflow

extension Plan {
  /// Returns a smaller plan for a selection.
  ///
  /// The plan contains the selected steps and all their dependencies. If one of these steps listens for a request, the plan also contains
  /// the steps that send the request. It also contains the cleanups of all these steps, with the dependencies of the cleanups.
  ///
  /// In a document with `order: file`, each step waits for the nearest step above it that the smaller plan contains. Steps are not added to
  /// the smaller plan only because they are above a selected step.
  public func select(_ selection: Selection) throws(SelectionError) -> Plan {
    if selection.isEverything { return self }
    var problems = DiagnosticList()
    var chosen = NodeSet(capacity: graph.nodeCount)
    if selection.steps.isEmpty {
      for step in steps.indices { chosen.insert(step) }
    } else {
      for name in selection.steps {
        let found = matches([name])
        if found.isEmpty { problems.report(unknownStep(name)) }
        for step in found { chosen.insert(step) }
      }
    }
    for tag in selection.tags where !steps.contains(where: { $0.step.tags.contains(tag) }) {
      problems.report(undefinedTag(tag))
    }
    for name in selection.only + selection.skip where !mayBeStep(name) { problems.report(unknownStep(name)) }
    if problems.hasErrors { throw SelectionError(diagnostics: problems) }
    var asked = chosen.elements
    if !selection.tags.isEmpty { asked.removeAll { Set(selection.tags).isDisjoint(with: steps[$0].step.tags) } }
    if !selection.only.isEmpty {
      let wanted = Set(matches(selection.only))
      asked.removeAll { !wanted.contains($0) }
    }
    if !selection.skip.isEmpty {
      let skipped = dependents(of: matches(selection.skip))
      asked.removeAll { skipped.contains($0) }
    }
    guard !asked.isEmpty else { throw SelectionError(diagnostics: nothingLeft(selection)) }
    return restricted(to: withNeeds(asked))
  }

  /// Returns the indexes of the given steps and of all steps that depend on them, directly or indirectly.
  ///
  /// A change of the given steps can affect all the returned steps.
  public func withDependents(_ indexes: [Int]) -> [Int] { dependents(of: indexes).elements }

  private func dependents(of indexes: [Int]) -> NodeSet {
    var found = NodeSet(capacity: graph.nodeCount)
    var pending: [Int] = []
    for index in indexes where found.insert(index) { pending.append(index) }
    while let node = pending.popLast() {
      for edge in graph.edges(from: node) where edges.isDependency(Int(edge)) {
        let target = Int(graph.targets[Int(edge)])
        if found.insert(target) { pending.append(target) }
      }
    }
    return found
  }

  /// Returns the indexes of the steps that match at least one of the given names. A name may contain wildcards and the name of a
  /// document.
  public func steps(named names: [String]) -> [Int] { matches(names) }

  /// Returns the error for a name that matches no step; see ``steps(named:)``.
  public func unknownStep(named name: String) -> Diagnostic { unknownStep(name) }

  private func matches(_ names: [String]) -> [Int] {
    var found = NodeSet(capacity: graph.nodeCount)
    for name in names {
      let pattern = NamePattern(name)
      for (index, workflow) in workflows.enumerated() where pattern.matches(file: workflow.file.name) {
        if !pattern.hasWildcards, let step = workflow.step(String(decoding: pattern.id, as: UTF8.self)) {
          if let planned = self.step(step.ordinal, of: index) { found.insert(planned.index) }
        } else if pattern.hasWildcards {
          for step in workflow.steps where pattern.matches(id: step.id) {
            if let planned = self.step(step.ordinal, of: index) { found.insert(planned.index) }
          }
        }
      }
    }
    return found.elements
  }

  /// Returns whether a name has wildcards, or names a step of a document. The step need not be in the plan, which may be a part of a
  /// larger one.
  private func mayBeStep(_ name: String) -> Bool {
    let pattern = NamePattern(name)
    guard !pattern.hasWildcards else { return true }
    let id = String(decoding: pattern.id, as: UTF8.self)
    return workflows.contains { pattern.matches(file: $0.file.name) && $0.step(id) != nil }
  }

  private func unknownStep(_ name: String) -> Diagnostic {
    let pattern = NamePattern(name)
    if pattern.hasWildcards {
      return Diagnostic(.unknownStep, "no step's name matches `\(name)`", at: nil)
        .help("`garland list` shows the names of all steps")
    }
    let id = String(decoding: pattern.id, as: UTF8.self)
    if let file = pattern.file, !workflows.contains(where: { pattern.matches(file: $0.file.name) }) {
      let fileName = String(decoding: file, as: UTF8.self)
      let diagnostic = Diagnostic(.unknownStep, "there is no step `\(name)`: this run has no document `\(fileName)`", at: nil)
      let names = workflows.map(\.file.name)
      guard let near = Suggestion.nearest(to: fileName, in: names) else {
        return diagnostic.help("the documents are \(Plan.listed(names))")
      }
      return diagnostic.help("did you mean `\(near)#\(id)`?")
    }
    let diagnostic = Diagnostic(.unknownStep, "there is no step `\(name)`", at: nil)
    let candidates = steps.lazy.filter { pattern.matches(file: $0.workflow.file.name) }.map(\.step.id)
    if let near = Suggestion.nearest(to: id, in: candidates) {
      let prefix = pattern.file.map { String(decoding: $0, as: UTF8.self) + "#" } ?? ""
      return diagnostic.help("did you mean `\(prefix)\(near)`?")
    }
    return diagnostic.help("`garland list` shows the names of all steps")
  }

  private func undefinedTag(_ tag: String) -> Diagnostic {
    let diagnostic = Diagnostic(.undefinedTag, "no step has the tag `\(tag)`", at: nil)
    var tags: [String] = []
    for step in steps {
      for tag in step.step.tags where !tags.contains(tag) { tags.append(tag) }
      if tags.count > 1000 { break }
    }
    if let near = Suggestion.nearest(to: tag, in: tags) { return diagnostic.help("did you mean `\(near)`?") }
    return diagnostic.help(tags.isEmpty ? "no step has any tags" : "the tags are \(Plan.listed(tags))")
  }

  private func nothingLeft(_ selection: Selection) -> DiagnosticList {
    var parts: [String] = []
    if !selection.steps.isEmpty { parts.append("name \(Plan.listed(selection.steps))") }
    if !selection.tags.isEmpty { parts.append("tag \(Plan.listed(selection.tags))") }
    if !selection.only.isEmpty { parts.append("`--only` \(Plan.listed(selection.only))") }
    if !selection.skip.isEmpty { parts.append("`--skip` \(Plan.listed(selection.skip))") }
    var list = DiagnosticList()
    list.report(
      Diagnostic(.noStepSelected, "no step matches this selection: \(parts.joined(separator: "; "))", at: nil)
        .help("`garland list` shows the names and tags of all steps"))
    return list
  }

  private static func listed(_ names: [String]) -> String {
    let shown = names.prefix(8).map { "`\($0)`" }.joined(separator: ", ")
    return names.count > 8 ? "\(shown) … (\(names.count))" : shown
  }
}

/// An error for steps that can't be selected, with the reasons as diagnostics.
public struct SelectionError: Error, Sendable {
  /// The reasons why the steps can't be selected: one diagnostic for each unknown name or tag, or one diagnostic which reports that the
  /// selection contains no step.
  public let diagnostics: DiagnosticList
}

extension DiagnosticCode {
  /// The code of the error for a name that no step has.
  public static let unknownStep: DiagnosticCode = "unknown-step"
  /// The code of the error for a tag that no step has.
  public static let undefinedTag: DiagnosticCode = "undefined-tag"
  /// The code of the error for a selection that contains no step.
  public static let noStepSelected: DiagnosticCode = "no-step-selected"
}
