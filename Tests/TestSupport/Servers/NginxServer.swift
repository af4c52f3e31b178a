import Foundation

/// nginx on free loopback ports, shared by all tests of a process: plain, TLS with HTTP/2, TLS that wants a client certificate, and TLS with certificates
/// that must be refused.
///
/// Its places: `/json` (200 bytes), `/echo` (one line of what came), `/chain` (a token), `/redirect/STATUS?to=URL`, `/status/204|304|404|500|503`, `/files/` (with
/// ranges and ETags; `big.bin` is 200 MB), `/gzip/` (compressed), `/cookies/set`, `/closed/` (closes the connection), `/sink` (takes any body), `/slow/` (100 kB a second);
/// `/expires/` (fresh for an hour), `/no-cache/` and `/no-cache-gzip/` (to be validated each time), `/encoded/NAME?coding=…` (a file that somebody else has encoded),
/// `/through?port=…` (whatever another server of this machine says).
public final class NginxServer: Sendable {
  /// The folder that `/files/` shows.
  public let files: String
  /// The certificates in use.
  public let certificates: TestCertificates
  /// `http://127.0.0.1:PORT`.
  public let url: String
  /// `https://localhost:PORT`, HTTP/2 or HTTP/1.1.
  public let secureURL: String
  /// The same, but only HTTP/1.1.
  public let secureHTTP1URL: String
  /// The same, for clients with a certificate.
  public let clientCertificateURL: String
  /// The same with a certificate that has expired.
  public let expiredURL: String
  /// The same with a certificate for another host.
  public let wrongHostURL: String
  /// The same with a certificate that nobody vouches for.
  public let selfSignedURL: String
  /// HTTP/2 without TLS.
  public let clearHTTP2URL: String
  /// The path of a unix domain socket of the plain server.
  public let unixSocket: String
  private let process: ServerProcess

  private static let made = Result { try NginxServer() }

  /// The server, started on first use.
  public static func shared() throws -> NginxServer { try made.get() }

  private init() throws {
    let folder = NSTemporaryDirectory() + "garland-nginx-\(ProcessInfo.processInfo.processIdentifier)"
    files = folder + "/www"
    for name in ["www", "tmp", "certificates"] {
      try FileManager.default.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
    }
    certificates = try TestCertificates(in: folder + "/certificates")
    try Self.writeFiles(to: files)
    let ports = LoopbackPort.free(8)
    url = "http://127.0.0.1:\(ports[0])"
    secureURL = "https://localhost:\(ports[1])"
    secureHTTP1URL = "https://localhost:\(ports[2])"
    clientCertificateURL = "https://localhost:\(ports[3])"
    expiredURL = "https://localhost:\(ports[4])"
    wrongHostURL = "https://localhost:\(ports[5])"
    selfSignedURL = "https://localhost:\(ports[6])"
    clearHTTP2URL = "http://127.0.0.1:\(ports[7])"
    unixSocket = folder + "/nginx.sock"
    let configuration = folder + "/nginx.conf"
    try Self.configuration(folder: folder, ports: ports).write(toFile: configuration, atomically: true, encoding: .utf8)
    process = try ServerProcess(
      ["/usr/sbin/nginx", "-e", folder + "/error.log", "-c", configuration], port: ports[0], log: folder + "/nginx.log",
      leftover: folder)
  }

  private static func writeFiles(to folder: String) throws {
    try "Hello, world!\n".write(toFile: folder + "/hello.txt", atomically: true, encoding: .utf8)
    let text = String(repeating: "All work and no play makes Jack a dull boy.\n", count: 4000)
    try text.write(toFile: folder + "/long.txt", atomically: true, encoding: .utf8)
    try "{\"ok\":true}".write(toFile: folder + "/answer.json", atomically: true, encoding: .utf8)
    // A debug build needs a second for a calculation of each of 5,000,000 bytes; these repeat after 65,536.
    let block = Data((0..<65_536).map { UInt8(truncatingIfNeeded: $0 ^ ($0 >> 8)) })
    let medium = (0..<77).reduce(into: Data()) { bytes, _ in bytes.append(block) }.prefix(5_000_000)
    try medium.write(to: URL(filePath: folder + "/medium.bin"))
    // Sparse: 200 MB that take no room.
    guard FileManager.default.createFile(atPath: folder + "/big.bin", contents: nil), truncate(folder + "/big.bin", 200_000_000) == 0 else {
      throw ServerProcess.StartError(description: "no room for a large file")
    }
  }

  private static func configuration(folder: String, ports: [UInt16]) -> String {
    let json = "{\"id\":1,\"name\":\"garland\",\"pad\":\"" + String(repeating: "x", count: 166) + "\"}"
    let places = """
        root \(folder)/www;
        location = /json { default_type application/json; return 200 '\(json)'; }
        location = /echo {
          default_type text/plain;
          return 200 "$request_method|$request_uri|$host|$server_protocol|$http_authorization|$http_cookie|$http_x_api_key|$ssl_client_s_dn|$http_user_agent|$http_accept|$http_accept_encoding";
        }
        location /closed/ { return 444; }
        location = /chain { default_type application/json; return 200 '{"prev":"$arg_prev","token":"$request_id"}'; }
        location = /redirect/301 { return 301 $arg_to; }
        location = /redirect/302 { return 302 $arg_to; }
        location = /redirect/303 { return 303 $arg_to; }
        location = /redirect/307 { return 307 $arg_to; }
        location = /redirect/308 { return 308 $arg_to; }
        location = /loop { return 302 /loop; }
        location = /status/204 { return 204; }
        location = /status/404 { return 404; }
        location = /status/500 { return 500; }
        location = /status/503 { return 503; }
        location = /cookies/set { add_header Set-Cookie "session=abc; Path=/"; add_header Set-Cookie "theme=dark; Path=/; HttpOnly"; return 200 "set"; }
        location = /attachment { add_header Content-Disposition "attachment; filename=\\"../../etc/na me.txt\\"; filename*=UTF-8''%e2%82%ac.txt"; return 200 "attached"; }
        location = /through { proxy_buffering off; proxy_pass http://127.0.0.1:$arg_port/; }
        location = /sink { client_max_body_size 0; proxy_request_buffering off; proxy_http_version 1.1; proxy_pass http://127.0.0.1:\(ports[0])/length; }
        location = /length { client_max_body_size 0; return 200 "$content_length $request_length"; }
        location /files/ { alias \(folder)/www/; default_type application/octet-stream; }
        location /gzip/ { alias \(folder)/www/; gzip on; gzip_types *; gzip_min_length 1; }
        location /encoded/ { alias \(folder)/www/; add_header Content-Encoding $arg_coding; }
        location /expires/ { alias \(folder)/www/; expires 1h; }
        location /no-cache/ { alias \(folder)/www/; expires -1; }
        location /no-cache-gzip/ { alias \(folder)/www/; expires -1; gzip on; gzip_vary on; gzip_types *; gzip_min_length 1; }
        location /slow/ { alias \(folder)/www/; limit_rate 100k; }
      """
    func secure(_ port: UInt16, _ certificate: String, _ protocols: String = "ssl http2", _ more: String = "") -> String {
      """
        server {
          listen 127.0.0.1:\(port) \(protocols);
          listen [::1]:\(port) \(protocols);
          ssl_certificate \(folder)/certificates/\(certificate).pem;
          ssl_certificate_key \(folder)/certificates/\(certificate).key;
          \(more)
          \(places)
        }
      """
    }
    return """
      daemon off;
      master_process off;
      worker_rlimit_nofile 20000;
      pid \(folder)/nginx.pid;
      error_log \(folder)/error.log warn;
      events { worker_connections 4096; multi_accept on; }
      http {
        access_log off;
        tcp_nodelay on;
        keepalive_timeout 10m;
        keepalive_requests 1000000;
        client_body_temp_path \(folder)/tmp/body; proxy_temp_path \(folder)/tmp/proxy; fastcgi_temp_path \(folder)/tmp/fcgi;
        uwsgi_temp_path \(folder)/tmp/uwsgi; scgi_temp_path \(folder)/tmp/scgi;
        server {
          listen 127.0.0.1:\(ports[0]) backlog=4096;
          listen unix:\(folder)/nginx.sock;
          \(places)
        }
        server { listen 127.0.0.1:\(ports[7]) http2; \(places) }
      \(secure(ports[1], "server"))
      \(secure(ports[2], "server", "ssl"))
      \(secure(ports[3], "server", "ssl", "ssl_client_certificate \(folder)/certificates/ca.pem; ssl_verify_client on;"))
      \(secure(ports[4], "expired"))
      \(secure(ports[5], "wronghost"))
      \(secure(ports[6], "selfsigned"))
      }
      """
  }
}
