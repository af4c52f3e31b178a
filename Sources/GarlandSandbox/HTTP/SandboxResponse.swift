import GarlandJSON

/// An answer as a value; how it becomes bytes and pauses is ``ResponseAssembler``'s business.
struct SandboxResponse: Sendable {
  enum Body: Sendable {
    /// Without a body or a length: 204, 304.
    case none
    case bytes([UInt8])
    /// Deterministic bytes of any size, made while they are sent.
    case pattern(PatternBytes, range: Range<UInt64>, chunked: Bool)
    /// Content of a known length with pauses in it.
    case paced([WireStep], length: Int)
    /// Everything on the wire, status line included, as the script says. The connection ends with it.
    case raw([WireStep])
  }

  var status: Int
  var reason: String?
  var headers: [HeaderField]
  var body: Body
  /// A pause before the first byte.
  var delay: Duration = .zero
  /// Whether to end the connection after the answer although the client would keep it.
  var closes = false

  init(_ status: Int, headers: [HeaderField] = [], body: Body = .bytes([])) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  static func json(_ value: JSONValue, status: Int = 200, headers: [HeaderField] = []) -> SandboxResponse {
    var bytes = JSONText.encode(value)
    bytes.append(0x0A)
    return SandboxResponse(status, headers: [HeaderField("Content-Type", "application/json")] + headers, body: .bytes(bytes))
  }

  static func text(_ text: String, type: String = "text/plain; charset=utf-8", status: Int = 200) -> SandboxResponse {
    SandboxResponse(status, headers: [HeaderField("Content-Type", type)], body: .bytes(Array(text.utf8)))
  }

  static func noContent(headers: [HeaderField] = []) -> SandboxResponse {
    SandboxResponse(204, headers: headers, body: .none)
  }

  static func raw(_ steps: [WireStep]) -> SandboxResponse {
    SandboxResponse(0, body: .raw(steps))
  }

  func adding(_ name: String, _ value: String) -> SandboxResponse {
    var copy = self
    copy.headers.append(HeaderField(name, value))
    return copy
  }
}
