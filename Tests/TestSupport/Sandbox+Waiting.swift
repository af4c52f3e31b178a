import GarlandSandbox

extension Sandbox {
  /// Runs `body` with a separate sandbox, which stops afterwards.
  package static func running<Value>(
    _ options: SandboxOptions = SandboxOptions(), _ body: (Sandbox) async throws -> Value
  ) async throws -> Value {
    let sandbox = try await Sandbox.start(options: options)
    do {
      let value = try await body(sandbox)
      await sandbox.stop()
      return value
    } catch {
      await sandbox.stop()
      throw error
    }
  }

  /// Returns when a request has come in for which `condition` holds. The test's time limit ends it otherwise.
  package func waitForRequest(where condition: (SandboxRecord) -> Bool) async {
    while !Task.isCancelled {
      if records.contains(where: condition) { return }
      await Task.yield()
    }
  }
}

extension SandboxRecord {
  /// Returns the values of the header fields with a name, in order. The name is compared case-insensitively.
  package func values(of name: String) -> [String] {
    headers.lazy.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
  }
}
