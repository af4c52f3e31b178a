import Foundation

/// A Kerberos realm of its own, with a KDC on a free loopback port, and an ``ApacheServer`` that takes its tickets: Debian's krb5-kdc, krb5-admin-server, krb5-user and
/// libapache2-mod-auth-gssapi.
///
/// `Tests/Conformance` has a realm of its own, in Python, since it is for those as well who have nothing else of ours.
public final class KerberosServer: Sendable {
  /// `http://localhost:PORT`, see ``ApacheServer``.
  public let url: String
  /// The environment that gives a process a ticket of the user `alice`.
  public let environment: [String: String]
  /// The same without a ticket.
  public let environmentWithoutTicket: [String: String]
  private let kdc: ServerProcess
  private let apache: ApacheServer

  private static let made = Result { try KerberosServer() }

  /// The server, started on first use.
  public static func shared() throws -> KerberosServer { try made.get() }

  private init() throws {
    let folder = NSTemporaryDirectory() + "garland-kerberos-\(ProcessInfo.processInfo.processIdentifier)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let port = LoopbackPort.free()
    try """
    [libdefaults]
    default_realm = GARLAND.TEST
    dns_lookup_kdc = false
    dns_lookup_realm = false
    dns_canonicalize_hostname = false
    rdns = false
    udp_preference_limit = 1
    [realms]
    GARLAND.TEST = {
      kdc = 127.0.0.1:\(port)
    }
    [domain_realm]
    localhost = GARLAND.TEST

    """.write(toFile: folder + "/krb5.conf", atomically: true, encoding: .utf8)
    try """
    [kdcdefaults]
    kdc_listen = 127.0.0.1:\(port)
    kdc_tcp_listen = 127.0.0.1:\(port)
    [realms]
    GARLAND.TEST = {
      database_name = \(folder)/principal
      key_stash_file = \(folder)/stash
      acl_file = \(folder)/acl
    }
    [logging]
    kdc = FILE:\(folder)/kdc-words.log

    """.write(toFile: folder + "/kdc.conf", atomically: true, encoding: .utf8)
    let configuration = ["KRB5_CONFIG": folder + "/krb5.conf", "KRB5_KDC_PROFILE": folder + "/kdc.conf"]
    environmentWithoutTicket = configuration.merging(["KRB5CCNAME": "FILE:\(folder)/no-tickets"]) { $1 }
    environment = configuration.merging(["KRB5CCNAME": "FILE:\(folder)/tickets"]) { $1 }
    let exports = environment.map { "export \($0)='\($1)'" }.sorted().joined(separator: "\n")
    func run(_ script: String) throws {
      let result = try ChildProcess.runBlocking("/bin/sh", ["-c", "set -e\ncd '\(folder)'\n\(exports)\n\(script)"])
      guard result.status == 0 else { throw ServerProcess.StartError(description: "Kerberos: \(result.output)\(result.error)") }
    }
    try run(
      """
      kdb5_util create -s -r GARLAND.TEST -P master
      kadmin.local -q 'addprinc -randkey HTTP/localhost'
      kadmin.local -q 'addprinc -randkey alice'
      kadmin.local -q 'ktadd -k http.keytab HTTP/localhost'
      kadmin.local -q 'ktadd -k alice.keytab alice'
      chmod 755 .
      chmod 644 http.keytab
      """)
    kdc = try ServerProcess(
      ["/usr/sbin/krb5kdc", "-n"], port: port, log: folder + "/kdc.log", leftover: folder, environment: configuration)
    try run("kinit -k -t alice.keytab alice")
    apache = try ApacheServer(keytab: folder + "/http.keytab", environment: configuration)
    url = apache.url
  }
}
