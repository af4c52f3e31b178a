import Foundation

/// pyftpdlib on a free loopback port, shared by all tests of a process. `user` with the password
/// `pass word` and anonymous users see a folder with `hello.txt`, `empty.txt`, `dir/data.json` and
/// `big.bin` (3 MB of the byte 7).
public final class FTPServer: Sendable {
  /// `127.0.0.1:PORT`.
  public let address: String
  private let process: ServerProcess

  private static let made = Result { try FTPServer() }

  /// The server, started on first use.
  public static func shared() throws -> FTPServer { try made.get() }

  private init() throws {
    let port = LoopbackPort.free()
    address = "127.0.0.1:\(port)"
    let folder = NSTemporaryDirectory() + "garland-ftp-\(ProcessInfo.processInfo.processIdentifier)"
    try FileManager.default.createDirectory(atPath: folder + "/files/dir", withIntermediateDirectories: true)
    try "Hello, FTP!\n".write(toFile: folder + "/files/hello.txt", atomically: true, encoding: .utf8)
    try "".write(toFile: folder + "/files/empty.txt", atomically: true, encoding: .utf8)
    try "{\"ok\":true}".write(toFile: folder + "/files/dir/data.json", atomically: true, encoding: .utf8)
    try Data(repeating: 7, count: 3_000_000).write(to: URL(filePath: folder + "/files/big.bin"))
    let script = """
      import sys
      from pyftpdlib.authorizers import DummyAuthorizer
      from pyftpdlib.handlers import FTPHandler
      from pyftpdlib.servers import FTPServer
      authorizer = DummyAuthorizer()
      authorizer.add_user("user", "pass word", sys.argv[2], perm="elr")
      authorizer.add_anonymous(sys.argv[2])
      FTPHandler.authorizer = authorizer
      FTPServer(("127.0.0.1", int(sys.argv[1])), FTPHandler).serve_forever()
      """
    process = try ServerProcess(
      ["/usr/bin/python3", "-c", script, "\(port)", folder + "/files"], port: port, log: folder + "/ftp.log", leftover: folder)
    // A client that only checks the port disconnects at once, and pyftpdlib may then drop the next
    // connection: the first one to be served is curl, which retries.
    _ = try ChildProcess.runBlocking(
      "/usr/bin/curl", ["--silent", "--max-time", "10", "--retry", "5", "--retry-all-errors", "ftp://\(address)/hello.txt"])
  }
}
