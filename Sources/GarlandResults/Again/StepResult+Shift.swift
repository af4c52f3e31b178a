extension StepResult {
  /// Returns the result with its times relative to the start of an earlier run.
  ///
  /// - Parameter offset: the time between the start of the earlier run and the start of the run that contains the result.
  package func shifted(by offset: Duration) -> StepResult {
    guard offset != .zero else { return self }
    var result = self
    result.readyAt += offset
    result.startedAt += offset
    result.endedAt += offset
    for index in result.exchanges.indices where result.exchanges[index].hops.contains(where: { $0.timing.startedAt != nil }) {
      result.exchanges[index].hops = result.exchanges[index].hops.map { hop in
        var hop = hop
        hop.timing.startedAt = hop.timing.startedAt.map { $0 + offset }
        return hop
      }
    }
    return result
  }
}
