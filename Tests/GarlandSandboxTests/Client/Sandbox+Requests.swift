import GarlandJSON
import GarlandSandbox
import TestSupport
import Testing

/// Runs `body` with a separate server, which stops afterwards.
func withSandbox<Value>(
  _ options: SandboxOptions = SandboxOptions(), _ body: (Sandbox) async throws -> Value
) async throws -> Value {
  try await Sandbox.running(options, body)
}

extension Sandbox {
  /// Sends one request on a separate connection and returns the response.
  func request(_ method: String, _ target: String, _ headers: [String] = [], body: [UInt8]? = nil) throws -> RawResponse {
    let client = try RawClient(port: port)
    try client.send(Self.message(method, target, headers, body: body, port: port))
    return try client.response(to: method)
  }

  func request(_ method: String, _ target: String, _ headers: [String] = [], json: String) throws -> RawResponse {
    try request(method, target, headers + ["Content-Type: application/json"], body: Array(json.utf8))
  }

  func request(_ method: String, _ target: String, _ headers: [String] = [], form: String) throws -> RawResponse {
    try request(method, target, headers + ["Content-Type: application/x-www-form-urlencoded"], body: Array(form.utf8))
  }

  func get(_ target: String, _ headers: [String] = []) throws -> RawResponse { try request("GET", target, headers) }

  /// Returns a connection on which a request was sent, for responses that are invalid HTTP.
  func connection(_ target: String, patience: Double = 5) throws -> RawClient {
    let client = try RawClient(port: port, patience: patience)
    try client.send(Self.message("GET", target, [], body: nil, port: port))
    return client
  }

  static func message(_ method: String, _ target: String, _ headers: [String], body: [UInt8]?, port: Int) -> [UInt8] {
    var lines = ["\(method) \(target) HTTP/1.1", "Host: 127.0.0.1:\(port)"] + headers
    if let body { lines.append("Content-Length: \(body.count)") }
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + (body ?? [])
  }

  /// Logs in and returns a header field with a token for the bookshop.
  func login(_ user: String = "alice", _ password: String = "wonderland") throws -> String {
    let response = try request("POST", "/login", json: #"{"user": "\#(user)", "password": "\#(password)"}"#)
    return "Authorization: Bearer \(try #require(response.json["token"]?.stringValue))"
  }
}
