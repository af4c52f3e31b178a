import GarlandNetworking
import GarlandSandbox
import Synchronization
import TestSupport

/// Runs a test with its own session and server.
func withSandbox<Value>(
  _ configuration: SessionConfiguration = .ephemeral, _ body: (Session, Sandbox) async throws -> Value
) async throws -> Value {
  try await Sandbox.running { sandbox in
    let session = Session(configuration)
    defer { session.cancelAndInvalidate() }
    return try await body(session, sandbox)
  }
}
