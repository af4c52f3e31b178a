import Foundation

/// Squid on free loopback ports: a forward proxy for clients that authenticate by basic (`user`,
/// `pass`) or by NTLM, and in front of httpbin a server that wants NTLM. NTLM is verified by Samba
/// (`ntlm_auth`, in Debian's winbind), which knows one password, `pass`, for every user of the
/// domain `HOME`.
public final class SquidServer: Sendable {
  /// The proxy, `http://127.0.0.1:PORT`.
  public let proxyURL: String
  /// httpbin, for those who prove themselves by NTLM.
  public let guardedURL: String
  private let process: ServerProcess

  /// Debian's squid.
  private static let program = "/usr/sbin/squid"
  private static let made = Result { try SquidServer() }

  /// The server, started on first use.
  public static func shared() throws -> SquidServer { try made.get() }

  private init() throws {
    let folder = NSTemporaryDirectory() + "garland-squid-\(UUID().uuidString)"
    // Squid gives root up, for a user who has to get at its files.
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o777])
    let hash = try ChildProcess.runBlocking("/usr/bin/openssl", ["passwd", "-apr1", "pass"]).output
    try "user:\(hash)".write(toFile: folder + "/users", atomically: true, encoding: .utf8)
    let port = LoopbackPort.free()
    let guardedPort = LoopbackPort.free()
    proxyURL = "http://127.0.0.1:\(port)"
    guardedURL = "http://127.0.0.1:\(guardedPort)"
    let origin = try HTTPBinServer.shared().url.split(separator: ":").last ?? ""
    let configuration = """
      http_port 127.0.0.1:\(port)
      http_port 127.0.0.1:\(guardedPort) accel defaultsite=localhost no-vhost
      cache_peer 127.0.0.1 parent \(origin) 0 no-query originserver name=httpbin
      acl guarded localport \(guardedPort)
      cache_peer_access httpbin allow guarded
      cache_peer_access httpbin deny all
      always_direct deny guarded
      always_direct allow all
      pid_filename none
      coredump_dir \(folder)
      cache_log /dev/null
      access_log none
      cache deny all
      memory_cache_shared off
      pinger_enable off
      unlinkd_program /bin/true
      dns_nameservers 127.0.0.1
      max_filedescriptors 1024
      cache_effective_user nobody
      shutdown_lifetime 0 seconds
      visible_hostname garland-squid
      auth_param ntlm program /usr/bin/ntlm_auth --helper-protocol=squid-2.5-ntlmssp --username=alice --domain=HOME --password=pass
      auth_param ntlm children 2
      auth_param basic program /usr/lib/squid/basic_ncsa_auth \(folder)/users
      auth_param basic children 2
      auth_param basic realm squid
      acl known proxy_auth REQUIRED
      http_access allow known
      http_access deny all

      """
    try configuration.write(toFile: folder + "/squid.conf", atomically: true, encoding: .utf8)
    process = try ServerProcess(
      // By its name it tells its shared memory from that of other squids.
      [Self.program, "-n", "garland\(ProcessInfo.processInfo.processIdentifier)", "-N", "-d1", "-f", folder + "/squid.conf"], port: port,
      log: folder + "/squid.log", leftover: folder)
  }
}
