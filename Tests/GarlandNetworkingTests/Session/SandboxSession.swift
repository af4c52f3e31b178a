import GarlandNetworking
import GarlandSandbox
import Synchronization

/// A session and a server for one test.
func withSandbox(
  _ configuration: SessionConfiguration = .ephemeral, _ body: (Session, Sandbox) async throws -> Void
) async throws {
  let sandbox = try await Sandbox.start()
  let session = Session(configuration)
  do {
    try await body(session, sandbox)
  } catch {
    session.cancelAndInvalidate()
    await sandbox.stop()
    throw error
  }
  session.cancelAndInvalidate()
  await sandbox.stop()
}
