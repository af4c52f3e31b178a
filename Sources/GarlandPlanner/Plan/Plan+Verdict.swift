extension Plan {
  /// The ways in which a step can end, as far as they matter for the steps that wait for it.
  public enum Ending: Sendable, Hashable, CaseIterable {
    /// The step passed, or its failure is allowed.
    case passed
    /// The step was skipped, because its `when` was false.
    case skipped
    /// The step failed, was blocked, or never ran.
    case notPassed
  }

  /// Returns whether the source step of an edge has to pass before the target step may run. Otherwise, the source step only has to end.
  ///
  /// The source step has to pass if the target step uses one of its values or a file that it downloads, or if `after` requires it. In the
  /// following cases the source step only has to end:
  /// - for `after: {x: ended}`, if the target step uses no value of `x`, or only values with a default (`??`),
  /// - for the key `order: file`,
  /// - if the target step always runs.
  ///
  /// - Parameter edge: the number of the edge in ``graph``.
  public func needsPassed(_ edge: Int) -> Bool {
    let target = Int(graph.targets[edge])
    return !isJoin(target) && !steps[target].runsAlways && edges.facts[edge].needPassed
  }

  /// Returns whether the target step of an edge may still run after the source step has ended in a certain way. If not, the target step is
  /// blocked.
  ///
  /// If the source step was skipped, the target step may run, unless it uses a value of the source step without `??`. A step that always
  /// runs is never blocked.
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
