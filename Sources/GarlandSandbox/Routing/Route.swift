/// A method, a path, what the route is for, and the function that answers it.
struct Route: Sendable {
  typealias PureHandler = @Sendable (SandboxRequest) throws(Refusal) -> SandboxResponse
  typealias StatefulHandler = @Sendable (SandboxRequest, inout TenantState) throws(Refusal) -> SandboxResponse
  typealias ControlHandler = @Sendable (SandboxRequest, ServerContext) throws(Refusal) -> SandboxResponse
  typealias Gate = @Sendable (SandboxRequest) throws(Refusal) -> Admission

  enum Action: Sendable {
    /// A function of the request.
    case pure(PureHandler)
    /// A function of the request and of what the tenant's world remembers.
    case stateful(StatefulHandler)
    /// A look at the server itself.
    case control(ControlHandler)
  }

  /// Empty for any method but CONNECT and TRACE.
  let methods: [String]
  let pattern: RoutePattern
  /// A line for the index.
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

  /// `method` is one method, several separated by spaces, or `*`.
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

  /// A route that is not in any table: it answers a request that was refused by its head.
  static func refusing(_ refusal: Refusal) -> Route {
    Route("*", "", "") { (_: SandboxRequest) throws(Refusal) in throw refusal }
  }

  /// Takes or refuses a request by its head alone.
  func admit(_ request: SandboxRequest) throws(Refusal) -> Admission {
    if let expectation = request.headers.first("Expect"), !expectation.equalsIgnoringCase("100-continue") {
      throw Refusal(417, "the only expectation that can be met is 100-continue")
    }
    return try gate(request)
  }

  /// A GET route answers HEAD too.
  func takes(_ method: String) -> Bool {
    methods.isEmpty || methods.contains(method) || (method == "HEAD" && methods.contains("GET"))
  }

  static let open: Gate = { _ in Admission() }

  private static func methods(_ text: String) -> [String] {
    text == "*" ? [] : text.split(separator: " ").map { String($0) }
  }
}
