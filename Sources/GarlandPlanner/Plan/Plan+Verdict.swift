extension Plan {
  /// The ways in which a step can end. One case stands for all ways that have the same effect on the steps that wait for this step.
  public enum Ending: Sendable, Hashable, CaseIterable {
    /// The step passed, or its failure is allowed.
    case passed
    /// The step was skipped, because its `when` was false.
    case skipped
    /// The step failed, was blocked, or never ran.
    case notPassed
  }

  /// Returns whether the source step of an edge has to pass before the target step may run. If false, the source step only has to end.
  ///
  /// The source step has to pass if the target step uses a value of the source step, uses a file that the source step downloads, or lists
  /// the source step in `after`. There are three exceptions:
  /// - The target step has `always: true` or is a cleanup, so that it runs even if other steps fail.
  /// - The only reason for the edge is `order: file`.
  /// - The target step has `after: {x: ended}` for the source step `x`, and uses no file and no value of `x`, except values with a default
  ///   (`??`).
  ///
  /// - Parameter edge: the number of the edge in ``graph``.
  public func needsPassed(_ edge: Int) -> Bool {
    let target = Int(graph.targets[edge])
    return !isJoin(target) && !steps[target].runsAlways && edges.facts[edge].needPassed
  }

  /// Returns whether the target step of an edge may run, given the outcome `ending` of the source step. If not, the target step is blocked.
  ///
  /// If the source step was skipped, the target step may run, unless it uses a value of the source step and gives no default (`??`) for the
  /// value. A step that always runs is never blocked.
  ///
  /// - Parameters:
  ///   - edge: the number of the edge in ``graph``.
  ///   - ending: the way in which the source step has ended.
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
