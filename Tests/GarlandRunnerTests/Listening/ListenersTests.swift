import Testing

@testable import GarlandRunner

/// Tests, without sockets, of which step a request belongs to, and of which steps may still be called.
@Suite struct ListenersTests {
  /// Step 0 listens at `/hook`. Step 1 uses the URL of step 0 and does not wait for it.
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

  @Test func `if a request to a listening step arrives before the step begins, the request is kept for the step`() {
    var listeners = Self.listeners()
    #expect(listeners.arrived(Self.request("/hook"), for: 0, at: .seconds(1), isKept: true) == nil)
    #expect(Self.word(listeners.begins(0, item: 0)) == "take")
  }

  @Test func `a callback request that arrives after its listening step has ended is not kept`() {
    var listeners = Self.listeners()
    #expect(listeners.arrived(Self.request("/hook"), for: 0, at: .seconds(1), isKept: false) == nil)
    #expect(Self.word(listeners.begins(0, item: 0)) == "wait")
  }

  @Test func `only the first of two requests to the callback URL of a loop item is delivered to the item`() {
    var listeners = Self.listeners(items: 2)
    _ = listeners.begins(0, item: 0)
    _ = listeners.begins(0, item: 1)
    #expect(listeners.arrived(Self.request("/hook/1"), for: 0, at: .zero, isKept: true)?.item == 1)
    #expect(listeners.arrived(Self.request("/hook/1"), for: 0, at: .zero, isKept: true) == nil)
  }

  @Test func `the time limit of a listening step starts when all steps that use its callback URL have sent their requests`() {
    var listeners = Self.listeners()
    #expect(Self.word(listeners.begins(0, item: 0)) == "wait")
    #expect(listeners.hasSent(1).map(\.items) == [[0]])
    #expect(listeners.hasSent(1).isEmpty)
  }

  @Test func `a listening step ends if no remaining step can cause a request to its callback URL`() {
    var listeners = Self.listeners()
    _ = listeners.begins(0, item: 0)
    #expect(listeners.ended(1, mayHaveCalled: false).map(\.step) == [0])
  }

  @Test func `a listening step continues to wait if a step that has ended may have sent the callback URL to a server`() {
    var listeners = Self.listeners()
    _ = listeners.begins(0, item: 0)
    #expect(listeners.ended(1, mayHaveCalled: true).isEmpty)
  }

  @Test func `the failure of a listening step lists the first few requests that arrived for other paths`() {
    var listeners = Self.listeners()
    for number in 0..<10 { _ = listeners.arrived(Self.request("/other/\(number)"), for: 0, at: .zero, isKept: true) }
    let expectation = listeners.expectation(of: 0, item: 0)
    #expect(expectation?.path == "/hook")
    #expect(expectation?.strays.count == 9)
    #expect(expectation?.strays.first == "POST /other/0")
    #expect(expectation?.strays.last == "… (2 more)")
  }
}
