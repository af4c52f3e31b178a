import GarlandNetworking
import Synchronization
import TestSupport
import Testing
import TransferTestSupport

/// Tests adapters, retriers and monitors of sessions and requests, as Alamofire's tests do.
@Suite(.timeLimit(.minutes(15))) struct InterceptionCasesTests {
  /// An interceptor that adds its name to a log with each call, and returns a fixed decision after the first
  /// attempt.
  private struct Noted: RequestInterceptor {
    let name: String
    let log: Collected<String>
    var decision = RetryDecision.doNotRetry

    func adapt(_ request: TransferRequest) async throws -> TransferRequest {
      log.add("\(name) adapts")
      var request = request
      request.headerFields[.from] = (request.headerFields[.from] ?? "") + name
      return request
    }

    func retry(_ attempt: RequestAttempt) async -> RetryDecision {
      log.add("\(name) retries")
      return attempt.retryCount == 0 ? decision : .doNotRetry
    }
  }

  private let log = Collected<String>()

  private func noted(_ name: String, _ decision: RetryDecision = .doNotRetry) -> Noted { Noted(name: name, log: log, decision: decision) }

  private func session(
    _ interceptor: (any RequestInterceptor)? = nil, _ answer: @escaping @Sendable (Int) -> StubbedResponse = { _ in .text("ok") }
  ) -> (Session, StubTransport) {
    let count = Mutex(0)
    let stubs = StubTransport { _ in
      answer(
        count.withLock {
          $0 += 1
          return $0
        })
    }
    var configuration = SessionConfiguration.stubbed(by: stubs)
    configuration.interceptor = interceptor
    configuration.clock = TestClock().session
    return (Session(configuration), stubs)
  }

  // MARK: Adapters

  @Test func `the adapters of a request and of its session change every kind of request`() async throws {
    let (session, stubs) = session(noted("S"))
    let own = noted("R")
    let file = try TemporaryFolder()
    _ = await session.request("https://h/1", interceptor: own).response()
    _ = await session.download("https://h/2", interceptor: own).response()
    _ = await session.upload([1], to: "https://h/3", interceptor: own).response()
    _ = await session.upload(file: try file.write("a", "b"), to: "https://h/4", interceptor: own).response()
    _ = await session.upload(BodyStream { [[1]].async }, to: "https://h/5", interceptor: own).response()
    for try await _ in session.stream("https://h/6", interceptor: own) {}
    #expect(stubs.requests.map { $0.headerFields[.from] } == Array(repeating: "RS", count: 6))
  }

  @Test func `the interceptors of a request run in order, and before those of the session`() async throws {
    let (session, stubs) = session(noted("S"))
    _ = await session.request("https://h/").adapt(using: noted("1")).interceptor(noted("2")).adapt(using: noted("3")).response()
    #expect(stubs.requests.map { $0.headerFields[.from] } == ["123S"])
  }

  // MARK: Retriers

  @Test func `the retriers of a request are called in order, and before those of the session`() async throws {
    let (session, _) = session(noted("S", .retry)) { $0 == 1 ? .status(500) : .text("ok") }
    let request = session.request("https://h/").retry(using: noted("1")).retry(using: noted("2"))
    #expect(try await request.validate().string == "ok")
    #expect(log.all == ["S adapts", "1 retries", "2 retries", "S retries", "S adapts"])
  }

  @Test(arguments: [RetryDecision.retry, .retryAfter(.seconds(1)), .fail(.unsupported("enough"))])
  func `if one retrier decides that a request is retried or fails, the retriers after it are not called`(_ decision: RetryDecision)
    async throws
  {
    let (session, _) = session(noted("S")) { $0 == 1 ? .status(500) : .text("ok") }
    let response = await session.request("https://h/").retry(using: noted("1", decision)).retry(using: noted("2")).validate().response()
    #expect(response.error?.reason == (decision == .fail(.unsupported("enough")) ? .unsupported("enough") : nil))
    #expect(log.all.filter { $0.hasSuffix("retries") } == ["1 retries"])
  }

  @Test func `for each kind of request, an error of an adapter is passed to the retriers`() async throws {
    struct Odd: Error {}
    let first = Mutex(true)
    let flaky = Interceptor(adapting: { request in
      if first.withLock({
        let was = $0; $0.toggle(); return was
      }) {
        throw Odd()
      }
      return request
    })
    let (session, stubs) = session(Interceptor(interceptors: [flaky, noted("S", .retry)]))
    #expect(await session.request("https://h/").response().error == nil)
    #expect(await session.download("https://h/").response().error == nil)
    #expect(await session.upload([1], to: "https://h/").response().error == nil)
    #expect(stubs.requests.count == 3)
    #expect(log.all.filter { $0 == "S retries" }.count == 3)
  }

  @Test func `the error of a retrier replaces the error of the request`() async {
    let (session, _) = session(noted("S", .fail(.unsupported("enough")))) { _ in .status(500) }
    let response = await session.request("https://h/").validate().response()
    #expect(response.error?.reason == .unsupported("enough"))
    #expect(response.error?.partialResponse?.status.code == 500)
    #expect(response.retryCount == 0)
  }

  // MARK: Serializers that fail

  private let broken: @Sendable (Int) -> StubbedResponse = { $0 == 1 ? .text("no JSON") : .json(["a": 1]) }

  @Test func `if a response serializer fails, the retrier of the session can retry the request`() async throws {
    let (session, stubs) = session(noted("S", .retry), broken)
    let response = await session.request("https://h/").validate().response(.json)
    #expect(try response.value == ["a": 1])
    #expect(response.retryCount == 1)
    #expect(stubs.requests.count == 2)
  }

  @Test func `a missing adapter or retrier of an interceptor has no effect`() async {
    let adapter = Interceptor(adapting: { request in
      await Task.yield()
      var request = request
      request.headerFields[.from] = "A"
      return request
    })
    let retrier = Interceptor(retrying: { attempt in
      await Task.yield()
      return attempt.retryCount == 0 ? .retry : .doNotRetry
    })
    for (interceptor, count, field) in [(adapter, 1, "A"), (retrier, 2, nil), (Interceptor(), 1, nil)] as [(Interceptor, Int, String?)] {
      let (session, stubs) = session(interceptor) { _ in .status(503) }
      _ = await session.request("https://h/").response()
      #expect(stubs.requests.map { $0.headerFields[.from] } == Array(repeating: field, count: count))
    }
  }

  @Test func `if a retrier declines to retry after a serializer error, the request fails with this error`() async {
    let (session, stubs) = session(noted("S"), broken)
    let response = await session.request("https://h/").response(.json)
    guard case .serialization(.json) = response.error?.reason else {
      Issue.record("\(response)")
      return
    }
    #expect(log.all == ["S adapts", "S retries"])
    #expect(stubs.requests.count == 1)
  }

  @Test func `if a retrier fails after a serializer error, the retrier's error replaces the serializer's error`() async {
    let (session, _) = session(noted("S", .fail(.unsupported("enough")))) { _ in .text("no JSON") }
    let request = session.request("https://h/")
    #expect(await request.response(.json).error?.reason == .unsupported("enough"))
    #expect(await request.response(of: Int.self).error?.reason == .unsupported("enough"))
    #expect(log.all == ["S adapts", "S retries", "S retries"])
  }

  @Test func `if several response serializers of a request fail at the same time, the request is retried only once`() async throws {
    let (session, stubs) = session(noted("S", .retry), broken)
    let request = session.request("https://h/")
    async let json = request.response(.json).value
    async let value = request.response(of: [String: Int].self).value
    #expect(try await json == ["a": 1])
    #expect(try await value == ["a": 1])
    #expect(stubs.requests.count == 2)
  }

  @Test func `if a serializer error causes a retry, and an adapter fails in this retry, the request fails`() async {
    struct Odd: Error {}
    let count = Mutex(0)
    let flaky = Interceptor(adapting: { request in
      if count.withLock({
        $0 += 1; return $0
      }) > 1 {
        throw Odd()
      }
      return request
    })
    let (session, _) = session(Interceptor(interceptors: [flaky, noted("S", .retry)]), broken)
    #expect(await session.request("https://h/").response(.json).error?.reason == .adaptation(.init(Odd())))
    count.withLock { $0 = 0 }
    let (other, _) = self.session(Interceptor(interceptors: [flaky, noted("S", .retry)])) { _ in .text("no JSON") }
    #expect(await other.download("https://h/").response(.json).error?.reason == .adaptation(.init(Odd())))
  }

  @Test func `if a downloaded file can't be parsed as JSON and the request is retried, the new download replaces the file`() async throws {
    let folder = try TemporaryFolder()
    let (session, _) = session(noted("S", .retry), broken)
    let download = session.download("https://h/", to: DownloadTarget(path: folder.path + "/file"))
    #expect(try await download.json == ["a": 1])
    #expect(try folder.read("file") == Array(#"{"a":1}"#.utf8))
  }

  @Test func `if a response serializer can't parse the body, the default retry policy does not retry the request`() async {
    let (session, stubs) = session(RetryPolicy(), broken)
    #expect(await session.request("https://h/").response(.json).error?.reason.kind == .serialization)
    #expect(stubs.requests.count == 1)
  }

  // MARK: Monitors

  private struct Names: EventMonitor {
    let name: String
    let log: Collected<String>
    func request(_ request: Request, did event: RequestEvent) {
      if case .finished = event { log.add("\(name) finished") }
      if case .adapted(let sent) = event { log.add("\(name) adapted \(sent.url)") }
    }
  }

  @Test func `the event monitors of a request receive the events of the request in order`() async {
    let (session, _) = session()
    let request = session.request("https://h/").eventMonitor(Names(name: "1", log: log)).eventMonitor(Names(name: "2", log: log))
    _ = await request.response()
    _ = await session.request("https://h/other").response()
    #expect(log.all == ["1 adapted https://h/", "2 adapted https://h/", "1 finished", "2 finished"])
  }

  @Test func `the event monitor of the session receives each event before the monitor of the request`() async {
    var configuration = SessionConfiguration.stubbed { _ in .text("ok") }
    configuration.eventMonitors = [Names(name: "S", log: log)]
    _ = await Session(configuration).request("https://h/").eventMonitor(Names(name: "R", log: log)).response()
    #expect(log.all == ["S adapted https://h/", "R adapted https://h/", "S finished", "R finished"])
  }
}

extension Array where Element: Sendable {
  fileprivate var async: AsyncStream<Element> {
    AsyncStream { continuation in
      for element in self { continuation.yield(element) }
      continuation.finish()
    }
  }
}
