import Glibc

/// An HTTP/2 server over TLS that ends a connection while requests wait for responses, in a process of its own.
/// `Tests/Providers/http2_server.py` describes its behaviour.
public final class HTTP2Server: Sendable {
  /// The way in which the server ends a connection.
  public enum Ending: String, CaseIterable, Sendable {
    /// The server closes the connection, without a GOAWAY frame.
    case close
    /// The server sends a GOAWAY frame that excludes all waiting requests.
    case goaway
    /// The server sends the heads of all responses and then closes the connection.
    case head
    /// The server resets the streams of all waiting requests by an error of its own, and a GOAWAY frame includes them.
    case reset
  }

  /// `https://127.0.0.1:PORT`.
  public let url: String
  /// The path of the certificate of the authority that issued the server's certificate.
  public static let authority = Repository.path("Tests/Conformance/services/ca.pem")
  private let process: ChildProcess

  /// Starts a server.
  ///
  /// - Parameters:
  ///   - ending: The way in which the server ends a connection.
  ///   - answers: For each connection, in the order of connecting, the number of requests that the server answers before it ends the
  ///     connection. Later connections answer every request.
  ///   - waiting: The number of requests that have to wait for responses when the server ends a connection.
  public init(_ ending: Ending, answers: [Int], waiting: Int = 1) async throws {
    let numbers = answers.map(String.init).joined(separator: ",")
    process = try ChildProcess(
      "/usr/bin/python3", [Repository.path("Tests/Providers/http2_server.py"), ending.rawValue, numbers, "\(waiting)"])
    guard await process.sees("\n") else { throw ServerProcess.StartError(description: process.soFar.error) }
    url = String(process.soFar.output.prefix { $0 != "\n" })
  }

  deinit { process.signal(SIGTERM) }
}
