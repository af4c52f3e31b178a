/// A small HTTP/1.1 server for examples and tests. It echoes requests, redirects, authenticates, responds slowly, breaks connections, and
/// has an example bookshop.
///
/// ```swift
/// let sandbox = try await Sandbox.start()
/// print(sandbox.url)  // http://127.0.0.1:49152; `GET /` there lists every route
/// …
/// for record in sandbox.records { print(record.sequence, record.method, record.target) }
/// await sandbox.stop()
/// ```
///
/// The sandbox listens only on 127.0.0.1, and records every request. It runs on its own single thread, which is never blocked. Its state
/// (books, jobs, tokens, counters) belongs to this sandbox and ends with it. Requests with `X-Sandbox-Tenant: name` have a separate state
/// for each name.
///
/// Call ``stop()`` when done. Otherwise the thread and the port exist until the process ends.
package final class Sandbox: Sendable {
  /// The port on which the sandbox listens.
  package let port: Int
  private let server: Server

  init(server: Server) {
    self.server = server
    port = server.port
  }

  /// Starts a server and returns as soon as it accepts connections.
  ///
  /// Port 0, the default, chooses a free port. Throws ``SandboxError/cannotListen(port:reason:)``
  /// if the port is in use or not allowed.
  package static func start(port: Int = 0, options: SandboxOptions = SandboxOptions()) async throws(SandboxError) -> Sandbox {
    Sandbox(server: try await Server.start(port: port, options: options))
  }

  /// The URL of the server, without a slash at the end: `http://127.0.0.1:49152`.
  package var url: String { "http://127.0.0.1:\(port)" }

  /// The requests received so far, in the order of their arrival, including those without a complete response.
  ///
  /// Requests to `/_sandbox/…` are not included, and neither are old requests beyond the limit ``SandboxOptions/recordLimit``.
  package var records: [SandboxRecord] { server.context.recorder.records }

  /// Removes the ``records``. The numbers of later records continue from the last one.
  package func clearRecords() { server.context.recorder.clear() }

  /// The numbers of connections: those open now, the maximum open at the same time, and all accepted connections.
  package var connections: SandboxConnections { server.context.connections.counts }

  /// Closes the port and every connection, then ends the thread. A second call has no effect.
  package func stop() async { await server.stop() }
}
