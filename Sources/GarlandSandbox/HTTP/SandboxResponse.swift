import GarlandJSON

/// The description of a response. ``ResponseAssembler`` converts it to bytes and pauses.
struct SandboxResponse: Sendable {
  enum Body: Sendable {
    /// The response has no body and no length, as for the statuses 204 and 304.
    case none
    case bytes([UInt8])
    /// Deterministic bytes of any size, which are generated while the response is sent.
    case pattern(PatternBytes, range: Range<UInt64>, chunked: Bool)
    /// Content of a known length that is sent with pauses.
    case paced([WireStep], length: Int)
    /// The list of actions that send the whole response, including the status line. The connection ends after the last action.
    case raw([WireStep])
  }

  var status: Int
  var reason: String?
  var headers: [HeaderField]
  var body: Body
  /// The pause before the first byte of the response is sent.
  var delay: Duration = .zero
  /// Whether the connection is closed after the response, even if the client would keep it open.
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

extension [HeaderField] {
  /// Returns the value of the first field with the given name; nil if there is no such field.
  func first(_ name: String) -> String? {
    first { $0.name.equalsIgnoringCase(name) }?.value
  }

  /// Returns the values of all fields with a name, in order.
  func all(_ name: String) -> [String] {
    lazy.filter { $0.name.equalsIgnoringCase(name) }.map(\.value)
  }

  /// Returns the members of a comma-separated list, which may be spread over several fields.
  func list(_ name: String) -> [String] {
    all(name).flatMap { $0.list(separatedBy: ",") }
  }

  func contains(_ name: String) -> Bool {
    contains { $0.name.equalsIgnoringCase(name) }
  }
}
