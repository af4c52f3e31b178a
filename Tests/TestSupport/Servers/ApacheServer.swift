import Foundation

/// Apache's httpd on a free loopback port: digest authentication, and a forward proxy that requires it.
///
/// Its paths: `/inflating/` (httpbin, with mod_deflate, which decompresses gzip), `/digest/secret.txt` (nonces for several requests),
/// `/once/secret.txt` (nonces for one request), `/basic/secret.txt`, `/open.txt`; with a keytab also `/negotiate/secret.txt`. The user is
/// `user`, the password `pass`; the proxy at the same port requires the same user and password.
public final class ApacheServer: Sendable {
  /// `http://localhost:PORT`: Kerberos requires a host name instead of an address.
  public let url: String
  /// The loopback port of the server and of its proxy.
  public let port: UInt16
  private let process: ServerProcess

  /// Debian's apache2-bin.
  private static let program = "/usr/sbin/apache2"
  private static let modules = "/usr/lib/apache2/modules"
  private static let made = Result { try ApacheServer() }

  /// The server, started on first use.
  public static func shared() throws -> ApacheServer { try made.get() }

  /// Starts another server. With a keytab, it accepts Kerberos tickets for `HTTP/localhost`.
  public init(keytab: String? = nil, environment: [String: String] = [:]) throws {
    let folder = NSTemporaryDirectory() + "garland-apache-\(UUID().uuidString)"
    for name in ["digest", "once", "basic", "negotiate"] {
      try FileManager.default.createDirectory(atPath: "\(folder)/www/\(name)", withIntermediateDirectories: true)
      try "secret\n".write(toFile: "\(folder)/www/\(name)/secret.txt", atomically: true, encoding: .utf8)
    }
    try "open\n".write(toFile: folder + "/www/open.txt", atomically: true, encoding: .utf8)
    let hash = try ChildProcess.runBlocking("/bin/sh", ["-c", "printf user:apache:pass | md5sum | cut -d' ' -f1"]).output
    try "user:apache:\(hash)".write(toFile: folder + "/digest", atomically: true, encoding: .utf8)
    try "user:{SHA}nU4eI71bcnBGqeO0t9tXvY1u5oQ=\n".write(toFile: folder + "/basic", atomically: true, encoding: .utf8)
    port = LoopbackPort.free()
    url = "http://localhost:\(port)"
    let configuration = folder + "/httpd.conf"
    try Self.configuration(folder: folder, port: port, keytab: keytab, upstream: try HTTPBinServer.shared().url).write(
      toFile: configuration, atomically: true, encoding: .utf8)
    process = try ServerProcess(
      [Self.program, "-d", folder, "-f", configuration, "-DFOREGROUND"], port: port, log: folder + "/apache.log", leftover: folder,
      environment: environment)
  }

  private static func configuration(folder: String, port: UInt16, keytab: String?, upstream: String) -> String {
    var names = [
      "mpm_event", "authn_core", "authn_file", "authz_core", "authz_user", "auth_digest", "auth_basic", "proxy", "proxy_http",
      "proxy_connect", "filter",
      "deflate", "http2",
    ]
    if keytab != nil { names.append("auth_gssapi") }
    let digest = "AuthType Digest\nAuthName apache\nAuthDigestProvider file\nAuthUserFile \(folder)/digest\nRequire valid-user"
    return """
      \(names.map { "LoadModule \($0)_module \(modules)/mod_\($0).so" }.joined(separator: "\n"))
      Listen 127.0.0.1:\(port)
      ServerName localhost
      Protocols h2c http/1.1
      PidFile \(folder)/httpd.pid
      Mutex file:\(folder)
      ErrorLog \(folder)/error.log
      \(getuid() == 0 ? "User nobody\nGroup nogroup" : "")
      DocumentRoot \(folder)/www
      ProxyRequests On
      ProxyPass /inflating/ \(upstream)/
      <Location /inflating>
      SetInputFilter DEFLATE
      AuthType None
      Require all granted
      </Location>
      AllowCONNECT 1-65535
      <Proxy "*">
      \(digest)
      </Proxy>
      <Location /digest>
      \(digest)
      </Location>
      <Location /once>
      \(digest)
      AuthDigestNonceLifetime 0
      </Location>
      <Location /basic>
      AuthType Basic
      AuthName apache
      AuthUserFile \(folder)/basic
      Require valid-user
      </Location>
      \(keytab.map { "<Location /negotiate>\nAuthType GSSAPI\nAuthName apache\nGssapiCredStore keytab:\($0)\nGssapiAllowedMech krb5\nRequire valid-user\n</Location>" } ?? "")

      """
  }
}
