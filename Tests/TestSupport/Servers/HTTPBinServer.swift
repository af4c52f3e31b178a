import Foundation

/// httpbin, served by gunicorn, on a free loopback port, shared by all tests of a process.
public final class HTTPBinServer: Sendable {
  /// `http://127.0.0.1:PORT`.
  public let url: String
  private let process: ServerProcess

  private static let made = Result { try HTTPBinServer() }

  /// The server, started on first use.
  public static func shared() throws -> HTTPBinServer { try made.get() }

  private init() throws {
    let port = LoopbackPort.free()
    url = "http://127.0.0.1:\(port)"
    let log = NSTemporaryDirectory() + "garland-httpbin-\(ProcessInfo.processInfo.processIdentifier).log"
    process = try ServerProcess(
      ["/usr/bin/python3", "-m", "gunicorn", "--bind", "127.0.0.1:\(port)", "--workers", "1", "--threads", "16", "httpbin:app"], port: port,
      log: log, leftover: log)
  }
}
