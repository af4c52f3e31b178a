import Foundation

/// A WebSocket server of a Python library, in a process of its own on a free loopback port:
/// `Tests/Providers/websocket_server.py` says what its paths do.
public final class WebSocketServer: Sendable {
  /// The library that a server is made with.
  public enum Library: String, CaseIterable, Sendable {
    case websockets, aiohttp, wsproto
  }

  /// Its port.
  public let port: UInt16
  private let process: ServerProcess

  private static let plain = Result { try Dictionary(uniqueKeysWithValues: Library.allCases.map { ($0, try WebSocketServer($0)) }) }
  private static let secure = Result {
    let folder = NSTemporaryDirectory() + "garland-websocket-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let certificates = try TestCertificates(in: folder)
    return (try WebSocketServer(.websockets, certificates: certificates, leftover: folder), certificates)
  }

  /// A server of a library, shared by all tests of a process.
  public static func shared(_ library: Library) throws -> WebSocketServer {
    guard let server = try plain.get()[library] else { throw ServerProcess.StartError(description: "no \(library)") }
    return server
  }

  /// A server of `websockets` over TLS, shared by all tests of a process.
  public static func sharedSecure() throws -> (server: WebSocketServer, certificates: TestCertificates) { try secure.get() }

  private init(_ library: Library, certificates: TestCertificates? = nil, leftover: String? = nil) throws {
    port = LoopbackPort.free()
    let log = NSTemporaryDirectory() + "garland-websocket-\(port).log"
    let keys = certificates.map { [$0.folder + "/server.pem", $0.folder + "/server.key"] } ?? []
    process = try ServerProcess(
      [PythonPackages.interpreter(), Repository.path("Tests/Providers/websocket_server.py"), library.rawValue, "\(port)"] + keys,
      port: port, log: log, leftover: leftover ?? log)
  }
}
