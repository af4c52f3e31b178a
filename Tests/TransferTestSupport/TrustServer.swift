import Foundation
import GarlandTransfer
import TestSupport
import Testing

/// nginx with certificates of all kinds, each on a port of its own, and what is needed to tell them apart.
///
/// ```
/// root ── intermediate ── server, expired, wronghost, names, uri, promising
///   └──── root2 (cross) ─ crossed          root2 ── crossed
/// other ── unknown, client
/// ```
/// Any path answers with one line: whether the session was resumed (`r`) or not (`.`), the name of SNI, version, cipher, the client's name, and the path. `/to?URL`
/// redirects.
package final class TrustServer: Sendable {
  /// The certificate of a server.
  package enum Kind: String, CaseIterable, Sendable {
    /// A proper certificate, with its intermediate.
    case server
    /// The same, and two certificates that have nothing to do with it.
    case extra
    case expired, wronghost, unknown, selfsigned
    /// The proper certificate, without its intermediate.
    case incomplete
    /// A certificate for `*.wild.example`, `one.example` and `two.example`; and one whose only name is `https://uri.example/`.
    case names, uri
    /// Two chains lead from it: to root2, and to root by the cross-signed root2.
    case crossed
    /// A certificate that promises a stapled response, without one.
    case promising
    /// With stapled responses: one that says good; one that says so by a responder's signature; and so on.
    case good, delegated, revoked, impostor, open, notKnown, another
    /// Knows clients of `other`; another of that kind; and one that lets nobody else in.
    case mutual, mutual2
    /// TLS 1.2 and one cipher only.
    case old

    /// The certificate's name.
    package var certificate: String {
      switch self {
      case .extra, .expired, .wronghost, .unknown, .selfsigned, .incomplete, .names, .uri, .crossed, .promising: rawValue
      default: "server"
      }
    }
    package var key: String { [.extra, .incomplete].contains(self) ? "server" : certificate }
    package var staple: String? {
      switch self {
      case .good, .delegated, .revoked, .impostor, .open, .another: rawValue
      case .notKnown: "unknown"
      default: nil
      }
    }
  }

  private let folder: String
  private let ports: [Kind: UInt16]
  private let process: ServerProcess

  private static let made = Result { try TrustServer() }

  /// The server, started on first use.
  package static func shared() throws -> TrustServer { try made.get() }

  /// `https://localhost:PORT`.
  package func url(_ kind: Kind) -> String { "https://localhost:\(port(kind))" }
  package func port(_ kind: Kind) -> UInt16 { ports[kind] ?? 0 }
  /// A file that was made, `root.pem` for example.
  package func file(_ name: String) -> String { "\(folder)/\(name)" }
  package func bytes(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: file(name)))) }
  /// The paths of the requests that came.
  package func log() throws -> [String] {
    try String(contentsOfFile: file("access.log"), encoding: .utf8).split(separator: "\n").map(String.init)
  }

  private init() throws {
    let folder = NSTemporaryDirectory() + "garland-trust-\(ProcessInfo.processInfo.processIdentifier)"
    self.folder = folder
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let result = try ChildProcess.runBlocking("/bin/sh", ["-c", Self.script, "sh", folder])
    guard result.status == 0 else { throw ServerProcess.StartError(description: "openssl: \(result.error)") }
    var ports: [Kind: UInt16] = [:]
    for kind in Kind.allCases {
      var port = LoopbackPort.free()
      while ports.values.contains(port) { port = LoopbackPort.free() }
      ports[kind] = port
    }
    self.ports = ports
    let servers = Kind.allCases.map { Self.server($0, port: ports[$0] ?? 0, folder: folder) }
    let configuration = """
      daemon off;
      master_process off;
      pid \(folder)/nginx.pid;
      error_log \(folder)/error.log warn;
      events { worker_connections 1024; }
      http {
        log_format paths '$request_uri';
        access_log \(folder)/access.log paths;
        keepalive_timeout 10m;
        keepalive_requests 100000;
        ssl_protocols TLSv1.2 TLSv1.3;
        client_body_temp_path \(folder)/body; proxy_temp_path \(folder)/proxy; fastcgi_temp_path \(folder)/fcgi;
        uwsgi_temp_path \(folder)/uwsgi; scgi_temp_path \(folder)/scgi;
      \(servers.joined(separator: "\n"))
      }
      """
    try configuration.write(toFile: folder + "/nginx.conf", atomically: true, encoding: .utf8)
    process = try ServerProcess(
      ["/usr/sbin/nginx", "-e", folder + "/error.log", "-c", folder + "/nginx.conf"], port: ports[.server] ?? 0, log: folder + "/nginx.log",
      leftover: folder)
  }

  private static func server(_ kind: Kind, port: UInt16, folder: String) -> String {
    var more = ""
    if let staple = kind.staple { more += "ssl_stapling on; ssl_stapling_file \(folder)/\(staple).der; " }
    if kind == .mutual || kind == .mutual2 { more += "ssl_client_certificate \(folder)/other.pem; ssl_verify_client optional; " }
    if kind == .old { more += "ssl_protocols TLSv1.2; ssl_ciphers ECDHE-ECDSA-AES128-GCM-SHA256; " }
    return """
        server {
          listen 127.0.0.1:\(port) ssl http2;
          listen [::1]:\(port) ssl http2;
          ssl_certificate \(folder)/\(kind.certificate).chain;
          ssl_certificate_key \(folder)/\(kind.key).key;
          \(more)
          default_type text/plain;
          location = /to { return 307 $query_string; }
          location / { return 200 "$ssl_session_reused|$ssl_server_name|$ssl_protocol|$ssl_cipher|$ssl_client_s_dn|$request_uri"; }
        }
      """
  }

  private static let script = """
    set -e
    cd "$1"
    key() { openssl ecparam -genkey -name prime256v1 -noout -out $1.key; }
    root() { # a self-signed authority
      key $1
      openssl req -x509 -new -key $1.key -days 30 -subj "/CN=$1" -out $1.pem -addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign,cRLSign
    }
    sign() { # name, issuer, days, extensions, common name; the name's key is there
      openssl req -new -key $1.key -subj "/CN=$5" -out $1.csr
      printf "$4" >$1.ext
      openssl x509 -req -in $1.csr -CA $2.pem -CAkey $2.key -CAcreateserial -extfile $1.ext -out $1.pem -days $3
    }
    authority='basicConstraints=critical,CA:TRUE\\nkeyUsage=critical,keyCertSign,cRLSign\\n'
    server='subjectAltName=DNS:localhost,IP:127.0.0.1\\nextendedKeyUsage=serverAuth\\n'
    leaf() { key $1; sign $1 $2 "${3:-20}" "${4:-$server}" $1; }
    root root; root root2; root other
    key intermediate; sign intermediate root 20 "$authority" intermediate
    key stranger; sign stranger other 20 "$authority" stranger
    leaf server intermediate; cat server.pem intermediate.pem >server.chain
    cat server.pem intermediate.pem stranger.pem other.pem >extra.chain
    leaf expired intermediate -1; cat expired.pem intermediate.pem >expired.chain
    leaf wronghost intermediate 20 'subjectAltName=DNS:example.com\\n'; cat wronghost.pem intermediate.pem >wronghost.chain
    cp server.pem incomplete.chain
    leaf names intermediate 20 'subjectAltName=DNS:*.wild.example,DNS:one.example,DNS:two.example\\n'; cat names.pem intermediate.pem >names.chain
    leaf uri intermediate 20 'subjectAltName=URI:https://uri.example/\\n'; cat uri.pem intermediate.pem >uri.chain
    leaf unknown other; cp unknown.pem unknown.chain
    key selfsigned; openssl req -x509 -new -key selfsigned.key -days 30 -subj /CN=selfsigned -out selfsigned.pem -addext subjectAltName=DNS:localhost,IP:127.0.0.1
    cp selfsigned.pem selfsigned.chain
    # The same authority as root2, made by root: two chains lead from its certificates.
    cp root2.key cross.key; sign cross root 20 "$authority" root2
    leaf crossed root2; cat crossed.pem cross.pem >crossed.chain
    leaf promising intermediate 20 "${server}tlsfeature=status_request\\n"; cat promising.pem intermediate.pem >promising.chain
    key responder; sign responder intermediate 20 'extendedKeyUsage=OCSPSigning\\nkeyUsage=digitalSignature\\n' responder
    key impostor; sign impostor other 20 'extendedKeyUsage=OCSPSigning\\n' impostor
    serial() { openssl x509 -in $1.pem -noout -serial | cut -d= -f2; }
    answer() { # name, signer, status line, options
      printf "$3\\t$(serial server)\\tunknown\\t/CN=server\\n" >$1.txt
      openssl ocsp -index $1.txt -CA intermediate.pem -rsigner $2.pem -rkey $2.key -issuer intermediate.pem -cert server.pem -respout $1.der $4
    }
    good="V\\t300101000000Z\\t"
    answer good intermediate "$good" "-ndays 2"
    answer delegated responder "$good" "-ndays 2"
    answer revoked intermediate "R\\t300101000000Z\\t250101000000Z,keyCompromise" "-ndays 2"
    answer impostor impostor "$good" "-ndays 2"
    answer open intermediate "$good" ""
    printf "$good\\t01\\tunknown\\t/CN=x\\n" >unknown.txt
    openssl ocsp -index unknown.txt -CA intermediate.pem -rsigner intermediate.pem -rkey intermediate.key -issuer intermediate.pem -cert server.pem -respout unknown.der -ndays 2
    openssl ocsp -index good.txt -CA intermediate.pem -rsigner intermediate.pem -rkey intermediate.key -issuer intermediate.pem -cert promising.pem -respout another.der -ndays 2
    leaf client other 20 'extendedKeyUsage=clientAuth\\n'
    openssl pkcs12 -export -in client.pem -inkey client.key -out client.p12 -passout pass:secret
    openssl pkcs12 -export -in client.pem -inkey client.key -out client.pfx -passout pass:
    openssl ec -in client.key -aes128 -passout pass:secret -out client-encrypted.key
    cat client.pem client.key >client-both.pem
    """
}

extension TrustServer {
  package func certificate(_ name: String) throws -> Certificate { try #require(try Certificate.all(inFile: file("\(name).pem")).first) }
  package func pin(_ name: String) throws -> PublicKeyPin { try certificate(name).publicKeyPin }
  package func pins(_ names: String...) throws -> PublicKeysTrustEvaluator { try PublicKeysTrustEvaluator(names.map { try pin($0) }) }
}
