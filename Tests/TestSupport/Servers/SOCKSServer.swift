import Foundation

/// microsocks, a SOCKS5 server, on a free loopback port, for `user` with the password `pass`.
public final class SOCKSServer: Sendable {
  /// The loopback port at which the server listens.
  public let port: UInt16
  private let process: ServerProcess

  /// Debian's microsocks.
  private static let program = "/usr/bin/microsocks"
  private static let made = Result { try SOCKSServer() }

  /// The server, started on first use.
  public static func shared() throws -> SOCKSServer { try made.get() }

  private init() throws {
    port = LoopbackPort.free()
    let log = NSTemporaryDirectory() + "garland-socks-\(ProcessInfo.processInfo.processIdentifier).log"
    process = try ServerProcess(
      [Self.program, "-i", "127.0.0.1", "-p", "\(port)", "-u", "user", "-P", "pass"], port: port, log: log, leftover: log)
  }
}
