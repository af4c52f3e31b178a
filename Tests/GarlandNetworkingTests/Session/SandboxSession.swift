import GarlandNetworking
import GarlandSandbox
import Synchronization

/// Runs a test with its own session and server.
func withSandbox<Value>(
  _ configuration: SessionConfiguration = .ephemeral, _ body: (Session, Sandbox) async throws -> Value
) async throws -> Value {
  let sandbox = try await Sandbox.start()
  let session = Session(configuration)
  do {
    let value = try await body(session, sandbox)
    session.cancelAndInvalidate()
    await sandbox.stop()
    return value
  } catch {
    session.cancelAndInvalidate()
    await sandbox.stop()
    throw error
  }
}
