import Synchronization
import TestSupport

/// A server that stores the requests that it receives, in a form that allows two clients to be compared.
///
/// A path with `/302` redirects, `/401` asks for credentials, `/503` fails the first time, and `/cookie` sets a cookie.
final class CurlRecorder: Sendable {
  private final class Log: Sendable {
    let requests = Mutex<[String]>([])
  }

  private let server: RawServer
  private let unixServers: [RawServer]
  private let log: Log
  var port: UInt16 { server.port }
  var host: String { "127.0.0.1:\(port)" }

  /// Starts the server.
  ///
  /// - Parameter unixSockets: the paths of Unix domain sockets at which it also listens.
  init(unixSockets: [String] = []) throws {
    let log = Log()
    self.log = log
    server = try RawServer { Self.serve($0, log) }
    unixServers = try unixSockets.map { try RawServer(unixSocket: $0) { Self.serve($0, log) } }
  }

  private static func serve(_ connection: RawConnection, _ log: Log) {
    while let (head, body) = Self.request(connection) {
      let lines = head.split(separator: "\r\n").map(String.init)
      let count = log.requests.withLock { requests in
        requests.append(Self.description(of: lines, body))
        return requests.count { $0.hasPrefix(lines[0] + "\n") }
      }
      connection.send(Self.response(to: lines, isFirst: count == 1))
      if lines[0].hasSuffix("1.0") || !lines[0].contains("HTTP/1.") { return }
    }
  }

  /// Returns the requests received since the last call.
  func takeAll() -> String {
    log.requests.withLock { requests in
      defer { requests = [] }
      return requests.joined(separator: "\n")
    }
  }

  // MARK: The wire

  private static func request(_ connection: RawConnection) -> (head: String, body: [UInt8])? {
    let head = connection.readHead()
    guard !head.isEmpty else { return nil }
    let fields = head.lowercased().split(separator: "\r\n")
    if fields.contains("expect: 100-continue") { connection.send("HTTP/1.1 100 Continue\r\n\r\n") }
    if fields.contains(where: { $0.hasPrefix("transfer-encoding:") && $0.hasSuffix("chunked") }) { return (head, chunks(connection)) }
    let length = fields.first { $0.hasPrefix("content-length:") }?.split(separator: ":").last.flatMap { Int($0.drop { $0 == " " }) }
    return (head, connection.read(length ?? 0))
  }

  private static func chunks(_ connection: RawConnection) -> [UInt8] {
    var body: [UInt8] = []
    while true {
      var line: [UInt8] = []
      while !line.ends(with: "\r\n"), let byte = connection.read(1).first { line.append(byte) }
      guard let size = Int(String(decoding: line.dropLast(2), as: UTF8.self), radix: 16) else { return body }
      body += connection.read(size)
      _ = connection.read(2)
      if size == 0 { return body }
    }
  }

  private static func response(to lines: [String], isFirst: Bool) -> String {
    let words = lines[0].split(separator: " ")
    let path = words.count > 1 ? words[1] : ""
    let isKnown = lines.contains { $0.lowercased().hasPrefix("authorization:") }
    var status = "200 OK"
    var fields = ""
    if path.contains("/401"), !isKnown {
      status = "401 Unauthorized"
      fields += "WWW-Authenticate: Basic realm=\"r\"\r\n"
    }
    if path.contains("/302") {
      status = "302 Found"
      fields += "Location: /landed\r\n"
    }
    if path.contains("/503"), isFirst { status = "503 Service Unavailable" }
    if path.contains("/cookie") { fields += "Set-Cookie: sid=abc; Path=/\r\n" }
    let body = words.first == "HEAD" ? "" : "ok"
    return "HTTP/1.1 \(status)\r\nContent-Type: text/plain\r\n\(fields)Content-Length: 2\r\n\r\n\(body)"
  }

  // MARK: Comparing

  /// Returns the request line, the fields in the order of their names, and the body, without the parts that differ each time.
  private static func description(of lines: [String], _ body: [UInt8]) -> String {
    let fields = lines.dropFirst().map { line in
      let pair = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      return (name: pair[0].lowercased(), value: pair.count == 2 ? trimmed(pair[1]) : "")
    }
    let type = fields.first { $0.name == "content-type" }?.value ?? ""
    let boundary = type.hasPrefix("multipart/form-data; boundary=") ? String(type.dropFirst(30)) : nil
    let shown = fields.enumerated().sorted { ($0.element.name, $0.offset) < ($1.element.name, $1.offset) }.map { _, field in
      switch field.name {
      case "user-agent" where field.value.hasPrefix("curl/7.") || field.value == "Garland/1": "user-agent: (default)"
      case "content-length" where boundary != nil: "content-length: (that of the form)"
      default: "\(field.name): \(replacing(boundary, in: field.value))"
      }
    }
    // A body that is not UTF-8 is written byte by byte.
    let text = String(validating: body, as: UTF8.self) ?? String(String.UnicodeScalarView(body.map { Unicode.Scalar($0) }))
    return ([normalized(lines[0])] + shown + [replacing(boundary, in: text)]).joined(separator: "\n")
  }

  /// Returns a request line with lower-case digits in its percent-encodings.
  private static func normalized(_ line: String) -> String {
    let parts = line.split(separator: "%", omittingEmptySubsequences: false)
    return parts.dropFirst().reduce(String(parts[0])) { $0 + "%" + $1.prefix(2).lowercased() + $1.dropFirst(2) }
  }

  private static func replacing(_ boundary: String?, in text: String) -> String {
    guard let boundary, !boundary.isEmpty else { return text }
    return text.split(separator: boundary, omittingEmptySubsequences: false).joined(separator: "(boundary)")
  }

  private static func trimmed(_ text: Substring) -> String {
    String(text.drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
  }
}

extension [UInt8] {
  fileprivate func ends(with text: String) -> Bool { count >= text.utf8.count && suffix(text.utf8.count).elementsEqual(text.utf8) }
}
