extension Plan {
  /// The kinds of ends of a step that make a difference for the steps that wait for it.
  public enum Ending: Sendable, Hashable, CaseIterable {
    /// The step passed, or its failure does not matter.
    case passed
    /// The step was skipped, because its `when` was false.
    case skipped
    /// The step failed, was blocked, or never ran.
    case notPassed
  }

  /// Returns whether the source of an edge has to pass before its target may run. Otherwise, the source only has to end.
  ///
  /// The source has to pass if the target uses a value of the source, or if `after` requires it. In the following cases the source only has
  /// to end: for `after: {x: ended}`, even if the target uses values of `x` that are all followed by `??`; for the order of the file; and
  /// for steps that always run.
  ///
  /// - Parameter edge: the number of the edge in ``graph``.
  public func needsPassed(_ edge: Int) -> Bool {
    let target = Int(graph.targets[edge])
    return !isJoin(target) && !steps[target].runsAlways && edges.facts[edge].needPassed
  }

  /// Returns whether the target of an edge may still run after its source has ended in a certain way. Otherwise, the target is blocked.
  ///
  /// After a step was skipped, a step that only runs after the skipped step may run. A step that uses a value of the skipped step may run
  /// if each of these uses is followed by `??`.
  ///
  /// - Parameters:
  ///   - edge: the number of the edge in ``graph``.
  ///   - ending: the way in which the source has ended.
  public func permits(_ edge: Int, after ending: Ending) -> Bool {
    switch ending {
    case .passed: true
    case .skipped: !needsPassed(edge) || !edges.facts[edge].contains(.requiredValue)
    case .notPassed: !needsPassed(edge)
    }
  }
}

extension EdgeFacts {
  var needPassed: Bool {
    !isDisjoint(with: [.requiredValue, .afterPassed, .file]) || (contains(.optionalValue) && !contains(.afterEnded))
  }
}
