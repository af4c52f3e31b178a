import Foundation

/// OAuth providers that are not ours, each in a process of its own on a free loopback port. Missing
/// Python packages are installed.
public final class OAuthProvider: Sendable {
  /// Its issuer: `http://127.0.0.1:PORT`, or `https`.
  public let url: String
  private let process: ServerProcess

  private static let mock = Result { try OAuthProvider(PythonPackages.interpreter(), ["-m", "oidc_provider_mock", "--port"]) }
  private static let authlib = Result { try OAuthProvider(PythonPackages.interpreter(), [OAuthProvider.script], [OAuthProvider.signer]) }
  private static let certified = Result {
    let folder = NSTemporaryDirectory() + "garland-provider-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let certificates = try TestCertificates(in: folder)
    let provider = try OAuthProvider(
      PythonPackages.interpreter(), [OAuthProvider.script],
      [OAuthProvider.signer, folder + "/server.pem", folder + "/server.key", certificates.authority, folder + "/selfsigned.pem"],
      leftover: folder)
    return (provider, certificates)
  }

  /// `oidc-provider-mock`: authorization codes and ID tokens; any client, any user. Shared by all tests of a process.
  public static func sharedMock() throws -> OAuthProvider { try mock.get() }

  /// Authlib: all other grants, see `Tests/Providers`. Shared by all tests of a process, and so are its counts.
  public static func sharedAuthlib() throws -> OAuthProvider { try authlib.get() }

  /// The same over TLS, with clients that have certificates: `client` of the authority, and `selfsigned`.
  public static func sharedCertified() throws -> (provider: OAuthProvider, certificates: TestCertificates) { try certified.get() }

  private static let script = Repository.path("Tests/Providers/authlib_provider.py")
  /// Of the client `signer`.
  private static let signer = Repository.path("examples/oauth/signer.pem")

  private init(_ python: String, _ before: [String], _ after: [String] = [], leftover: String? = nil) throws {
    let port = LoopbackPort.free()
    url = "\(after.count > 1 ? "https" : "http")://127.0.0.1:\(port)"
    let log = NSTemporaryDirectory() + "garland-provider-\(port).log"
    process = try ServerProcess([python] + before + ["\(port)"] + after, port: port, log: log, leftover: leftover ?? log)
  }
}
