import Testing

@testable import GarlandRunner

/// Which request is whose, and who may still be called, without a socket.
@Suite struct ListenersTests {
  /// Step 0 listens at `/hook`, step 1 names its URL and does not wait for it.
  private static func listeners(items: Int? = nil) -> Listeners {
    var listeners = Listeners(callers: [0: [1]])
    listeners.setPath(ListenPath(text: "/hook", itemCount: items), of: 0, at: 8080)
    return listeners
  }

  private static func request(_ path: String) -> ListenServer.Arrival {
    .request(IncomingRequest(method: "POST", target: path, version: "1.1"))
  }

  private static func word(_ beginning: Listeners.Beginning) -> String {
    switch beginning {
    case .take: "take"
    case .giveUp: "give up"
    case .count: "count"
    case .wait: "wait"
    }
  }

  @Test func `a request that comes before its step has begun is kept for it`() {
    var listeners = Self.listeners()
    #expect(listeners.arrived(Self.request("/hook"), for: 0, at: .seconds(1), isKept: true) == nil)
    #expect(Self.word(listeners.begins(0, item: 0)) == "take")
  }

  @Test func `a request for a step that can't begin any more is not kept`() {
    var listeners = Self.listeners()
    #expect(listeners.arrived(Self.request("/hook"), for: 0, at: .seconds(1), isKept: false) == nil)
    #expect(Self.word(listeners.begins(0, item: 0)) == "wait")
  }

  @Test func `a request goes to the item of a loop that waits for it, and to it alone`() {
    var listeners = Self.listeners(items: 2)
    _ = listeners.begins(0, item: 0)
    _ = listeners.begins(0, item: 1)
    #expect(listeners.arrived(Self.request("/hook/1"), for: 0, at: .zero, isKept: true)?.item == 1)
    #expect(listeners.arrived(Self.request("/hook/1"), for: 0, at: .zero, isKept: true) == nil)
  }

  @Test func `the time of a step runs from the moment when all that name its URL have sent`() {
    var listeners = Self.listeners()
    #expect(Self.word(listeners.begins(0, item: 0)) == "wait")
    #expect(listeners.hasSent(1).map(\.items) == [[0]])
    #expect(listeners.hasSent(1).isEmpty)
  }

  @Test func `a listening step ends when no caller is left`() {
    var listeners = Self.listeners()
    _ = listeners.begins(0, item: 0)
    #expect(listeners.ended(1, mayHaveCalled: false).map(\.step) == [0])
  }

  @Test func `a step that may have been called is waited for`() {
    var listeners = Self.listeners()
    _ = listeners.begins(0, item: 0)
    #expect(listeners.ended(1, mayHaveCalled: true).isEmpty)
  }

  @Test func `other requests are reported, at most the first few`() {
    var listeners = Self.listeners()
    for number in 0..<10 { _ = listeners.arrived(Self.request("/other/\(number)"), for: 0, at: .zero, isKept: true) }
    let expectation = listeners.expectation(of: 0, item: 0)
    #expect(expectation?.path == "/hook")
    #expect(expectation?.strays.count == 9)
    #expect(expectation?.strays.first == "POST /other/0")
    #expect(expectation?.strays.last == "… (2 more)")
  }
}
