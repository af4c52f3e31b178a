/// A small HTTP/1.1 server for trying things out: it echoes, redirects, authenticates, drips, fails on the wire, and keeps a bookshop.
///
/// ```swift
/// let sandbox = try await Sandbox.start()
/// print(sandbox.url)  // http://127.0.0.1:49152; `GET /` there lists every route
/// …
/// for record in sandbox.records { print(record.sequence, record.method, record.target) }
/// await sandbox.stop()
/// ```
///
/// It listens on 127.0.0.1 only, runs on one thread of its own that nothing blocks, and writes down every request that it gets. Its state (books, jobs, tokens, counters) is its own and ends with it; requests with `X-Sandbox-Tenant: name` have a state of their own for each name.
/// Call ``stop()`` when done: without it the thread and the port live until the process ends.
public final class Sandbox: Sendable {
  /// The port it listens on.
  public let port: Int
  private let server: Server

  init(server: Server) {
    self.server = server
    port = server.port
  }

  /// Starts a server and returns as soon as it accepts connections.
  ///
  /// Port 0, the default, chooses a free port. Throws ``SandboxError/cannotListen(port:reason:)``
  /// if the port is in use or not allowed.
  public static func start(port: Int = 0, options: SandboxOptions = SandboxOptions()) async throws(SandboxError) -> Sandbox {
    Sandbox(server: try await Server.start(port: port, options: options))
  }

  /// The URL of the server, without a slash at the end: `http://127.0.0.1:49152`.
  public var url: String { "http://127.0.0.1:\(port)" }

  /// The requests received so far, in the order of their arrival, those still being answered included.
  ///
  /// Requests to `/_sandbox/…` are not among them, nor those before the last ``SandboxOptions/recordLimit``.
  public var records: [SandboxRecord] { server.context.recorder.records }

  /// Forgets the ``records``; the numbering goes on.
  public func clearRecords() { server.context.recorder.clear() }

  /// How many connections are open, were open at once at most, and were accepted in all.
  public var connections: SandboxConnections { server.context.connections.counts }

  /// Closes the port and every connection, then ends the thread. Calling it again does nothing.
  public func stop() async { await server.stop() }
}
