import Synchronization

/// The state that all connections of a server share.
final class ServerContext: Sendable {
  let options: SandboxOptions
  let routes: [Route]
  let router: Router
  let recorder: Recorder
  let connections: ConnectionRegistry
  let state: Mutex<SandboxState>
  let callbacks = CallbackSender()
  private let start: Duration

  /// Creates the state of a server.
  ///
  /// - Parameter routes: every route, in the order of the list of routes that the server shows.
  init(options: SandboxOptions, routes: [Route]) {
    self.options = options
    self.routes = routes
    router = Router(routes)
    recorder = Recorder(limit: options.recordLimit)
    connections = ConnectionRegistry(limit: options.connectionLimit)
    state = Mutex(SandboxState(seed: options.seed))
    start = options.clock()
  }

  /// The time since the start of the server, on the monotonic clock.
  var now: Duration { options.clock() - start }

  /// Calls `body` with the state of a tenant.
  ///
  /// - Parameter name: the name of the tenant, from the request's field `X-Sandbox-Tenant`; nil if the request has no such field.
  func withTenant<Value: Sendable>(_ name: String?, _ body: (inout TenantState) throws(Refusal) -> Value) throws(Refusal) -> Value {
    let (now, date) = (now, options.date())
    let outcome: Result<Value, Refusal> = state.withLock { state in
      Result { () throws(Refusal) in try state.withTenant(name, now: now, date: date, body) }
    }
    return try outcome.get()
  }

  /// Returns the response to a complete request.
  func respond(to request: SandboxRequest, by route: Route) -> SandboxResponse {
    do throws(Refusal) {
      switch route.action {
      case .pure(let handler): return try handler(request)
      case .stateful(let handler):
        return try withTenant(request.tenant) { tenant throws(Refusal) in try handler(request, &tenant) }
      case .control(let handler): return try handler(request, self)
      }
    } catch {
      return error.response
    }
  }
}
