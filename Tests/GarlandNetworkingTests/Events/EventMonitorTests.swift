import GarlandNetworking
import GarlandSandbox
import Testing
import TransferTestSupport

@Suite(.timeLimit(.minutes(5))) struct EventMonitorTests {
  struct Recorder: EventMonitor {
    let words = Collected<String>()
    func request(_ request: Request, did event: RequestEvent) {
      let word =
        switch event {
        case .created: "created"
        case .started: "started"
        case .adapted(let request): "adapted \(request.method)"
        case .waitsForConnectivity(let obstacle): "waits: \(obstacle)"
        case .redirected(let hop): "redirected \(hop.status.code)"
        case .transferred(.success(let response)): "transferred \(response.status.code)"
        case .transferred(.failure(let error)): "transferred \(error.reason.kind)"
        case .validated(let error): "validated \(error?.reason.kind.rawValue ?? "ok")"
        case .retrying(let delay, _): "retrying \(delay)"
        case .retryRefused(let refusal): "refused \(refusal)"
        case .suspended: "suspended"
        case .resumed: "resumed"
        case .cancelled: "cancelled"
        case .finished(let error): "finished \(error?.reason.kind.rawValue ?? "ok")"
        case .serialized(_, let failure): "serialized \(failure?.reason.kind.rawValue ?? "ok")"
        case .warned(let warning): "warned \(warning)"
        }
      words.add(word)
    }
  }

  private func configuration(_ recorder: Recorder) -> SessionConfiguration {
    var configuration = SessionConfiguration.ephemeral
    configuration.eventMonitors = [recorder]
    configuration.clock = TestClock().session
    configuration.interceptor = RetryPolicy(limit: 1, random: { 0 })
    return configuration
  }

  @Test func `an event monitor is notified of each stage of a request`() async throws {
    let recorder = Recorder()
    try await withSandbox(configuration(recorder)) { (session, sandbox) async throws in
      _ = try await session.request(sandbox.url + "/redirect/1").validate().json
      #expect(
        recorder.words.all == [
          "created", "started", "adapted GET", "redirected 302", "transferred 200", "validated ok", "finished ok", "serialized ok",
        ])
    }
  }

  @Test func `an event monitor is notified of errors and retry decisions`() async throws {
    let recorder = Recorder()
    try await withSandbox(configuration(recorder)) { (session, sandbox) async throws in
      _ = await session.request(sandbox.url + "/status/503").validate().response()
      #expect(
        recorder.words.all == [
          "created", "started", "adapted GET", "transferred 503", "validated validation", "retrying 0.5 seconds", "adapted GET",
          "transferred 503", "validated validation", "refused retried once", "finished validation",
        ])
    }
  }

  @Test func `an event monitor is notified when a request is suspended, resumed or cancelled`() async throws {
    let recorder = Recorder()
    try await withSandbox(configuration(recorder)) { (session, sandbox) async throws in
      let request = session.request(sandbox.url + "/delay/5").suspend().suspend()
      request.resume().suspend().resume()
      request.cancel()
      _ = await request.response()
      // Whether the transfer has begun depends on timing.
      #expect(
        recorder.words.all.filter { !$0.hasPrefix("adapted") && !$0.hasPrefix("transferred") }
          == ["created", "suspended", "started", "suspended", "resumed", "cancelled", "finished cancelled"])
      #expect(await session.request(sandbox.url + "/bytes/5").response(of: Int.self).error?.reason.kind == .serialization)
      #expect(recorder.words.all.last == "serialized serialization")
    }
  }
}
