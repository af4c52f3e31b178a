/// Is told what happens to a session's requests, stage by stage.
///
/// ```swift
/// struct Log: EventMonitor {
///   func request(_ request: Request, did event: RequestEvent) {
///     if case .finished(let error) = event { print(request, error.map(\.description) ?? "ok") }
///   }
/// }
/// ```
/// The events of one request come in their order, from whichever thread they happen on, those of several requests between each other. Do short work: the
/// request waits for it. A session without monitors makes no events.
public protocol EventMonitor: Sendable {
  /// Something happened to a request.
  func request(_ request: Request, did event: RequestEvent)
}
