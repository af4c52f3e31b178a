public import GarlandSandbox

extension Sandbox {
  /// Returns when a request has come in for which `condition` holds. The test's time limit ends it otherwise.
  public func waitForRequest(where condition: (SandboxRecord) -> Bool) async {
    while !Task.isCancelled {
      if records.contains(where: condition) { return }
      await Task.yield()
    }
  }
}
