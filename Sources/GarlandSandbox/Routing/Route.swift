/// A route: its methods and path, a summary, and the function that handles requests.
struct Route: Sendable {
  typealias PureHandler = @Sendable (SandboxRequest) throws(Refusal) -> SandboxResponse
  typealias StatefulHandler = @Sendable (SandboxRequest, inout TenantState) throws(Refusal) -> SandboxResponse
  typealias ControlHandler = @Sendable (SandboxRequest, ServerContext) throws(Refusal) -> SandboxResponse
  typealias Gate = @Sendable (SandboxRequest) throws(Refusal) -> Admission

  enum Action: Sendable {
    /// A handler that uses only the request.
    case pure(PureHandler)
    /// A handler that uses the request and the tenant's state.
    case stateful(StatefulHandler)
    /// A handler that uses the request and the sandbox server itself.
    case control(ControlHandler)
  }

  /// The methods that the route handles. If the list is empty, the route handles all methods except CONNECT and TRACE.
  let methods: [String]
  let pattern: RoutePattern
  /// A one-line summary of the route for the list of routes.
  let summary: String
  let action: Action
  private let gate: Gate

  private init(_ methods: [String], _ path: String, _ summary: String, _ action: Action, _ gate: @escaping Gate) {
    self.methods = methods
    pattern = RoutePattern(path)
    self.summary = summary
    self.action = action
    self.gate = gate
  }

  /// Creates a route. `method` is a method, several methods separated by spaces, or `*`.
  init(_ method: String, _ path: String, _ summary: String, gate: @escaping Gate = Route.open, _ handler: @escaping PureHandler) {
    self.init(Self.methods(method), path, summary, .pure(handler), gate)
  }

  init(_ method: String, _ path: String, _ summary: String, gate: @escaping Gate = Route.open, stateful handler: @escaping StatefulHandler)
  {
    self.init(Self.methods(method), path, summary, .stateful(handler), gate)
  }

  init(_ method: String, _ path: String, _ summary: String, control handler: @escaping ControlHandler) {
    self.init(Self.methods(method), path, summary, .control(handler), Route.open)
  }

  /// Returns a route that rejects every request with the response `refusal`. It is used for a request with an invalid header, and is not in
  /// any list of routes.
  static func refusing(_ refusal: Refusal) -> Route {
    Route("*", "", "") { (_: SandboxRequest) throws(Refusal) in throw refusal }
  }

  /// Decides by the header of a request whether its body may be received. If the request is rejected, throws the response to send.
  func admit(_ request: SandboxRequest) throws(Refusal) -> Admission {
    if let expectation = request.headers.first("Expect"), !expectation.equalsIgnoringCase("100-continue") {
      throw Refusal(417, "the only expectation that can be met is 100-continue")
    }
    return try gate(request)
  }

  /// Whether the route handles a method. A route for GET also handles HEAD.
  func takes(_ method: String) -> Bool {
    methods.isEmpty || methods.contains(method) || (method == "HEAD" && methods.contains("GET"))
  }

  static let open: Gate = { _ in Admission() }

  private static func methods(_ text: String) -> [String] {
    text == "*" ? [] : text.split(separator: " ").map { String($0) }
  }
}

/// The rules for receiving a request's body, after the route has accepted the request's header.
struct Admission: Sendable {
  /// Whether the server responds to `Expect: 100-continue` with `100 Continue` at once.
  var continues = true
  /// The maximum number of bytes that the server stores from the beginning of a request's body, and from the beginning of each part of a
  /// multipart body; nil for the server's default limits.
  var keptLimit: Int?
  /// The maximum size of a request's body in bytes; nil for no maximum. A request with a larger body is rejected before its body has
  /// arrived completely.
  var sizeLimit: Int?
}
