extension Plan {
  /// The end of a step, as far as it matters to steps that wait for it.
  public enum Ending: Sendable, Hashable, CaseIterable {
    /// The step passed, or its failure does not matter.
    case passed
    /// `when` was false.
    case skipped
    /// The step failed, was blocked, or never ran.
    case notPassed
  }

  /// Whether a step has to pass for one that waits for it, and not only to end.
  ///
  /// So it is where a value of it is used or `after` says so. It is not for `after: {x: ended}`, also with values of `x` that all have a `??`, for the
  /// order of the file, and for steps that run always.
  ///
  /// - Parameter edge: its number in ``graph``.
  public func needsPassed(_ edge: Int) -> Bool {
    let target = Int(graph.targets[edge])
    return !isJoin(target) && !steps[target].runsAlways && edges.facts[edge].needPassed
  }

  /// Whether the target of an edge may still run after its source has ended so; otherwise it is blocked.
  ///
  /// After a step that was skipped, those that only follow it run; those that use a value of it run if all these uses have a `??`.
  ///
  /// - Parameters:
  ///   - edge: its number in ``graph``.
  ///   - ending: how its source has ended.
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
