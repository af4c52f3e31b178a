import TestSupport
import Testing

@testable import GarlandNetworking
@testable import GarlandTransfer

@Suite(.timeLimit(.minutes(15))) struct ConnectivityTests {
  private let name = NetworkingError(.resolve(host: "shop.test"))
  private let route = NetworkingError(.unreachable(host: "shop.test", port: 80, detail: "Network is unreachable"))

  @Test func `a request waits for connectivity only if the machine is offline`() {
    var patience = ConnectivityPatience()
    // For errors that do not concern the machine's network, the network is not checked.
    for reason: NetworkingError.Reason in [
      .refused(host: "h", port: 1), .connectionLost(detail: ""), .tls(.untrusted, detail: ""), .cancelled,
      .timeout(.init(limit: .idle, phase: .awaitingResponse, duration: .seconds(1))),
      .timeout(.init(limit: .connect, phase: .securing, duration: .seconds(1))),
    ] {
      #expect(
        patience.decide(after: NetworkingError(reason)) {
          Issue.record("\(reason)")
          return .offline
        } == .fail)
    }
    #expect(patience.decide(after: route) { nil } == .fail)
    #expect(patience.decide(after: name) { nil } == .fail)
    #expect(patience.decide(after: name) { .offline } == .wait(.offline, isFirst: true))
    #expect(patience.decide(after: route) { .offline } == .wait(.offline, isFirst: false))
  }

  @Test func `after the network returns, a failed name lookup is repeated with increasing pauses`() {
    var patience = ConnectivityPatience()
    _ = patience.decide(after: name) { .offline }
    var pauses: [Duration] = []
    while case .pause(let time) = patience.decide(after: name, obstacle: { nil }) { pauses.append(time) }
    #expect(pauses == [.milliseconds(250), .milliseconds(500), .seconds(1), .seconds(2)])
    #expect(patience.decide(after: route) { nil } == .fail)
  }

  @Test func `if a request is sent to another address because of a proxy or an override, the reachability of that address is checked`()
    throws
  {
    let origin = Origin(scheme: "https", host: "shop.test", port: 443)
    func subject(_ configure: (inout TransferSettings) -> Void) -> Reachability? {
      var settings = TransferSettings()
      configure(&settings)
      return Connectivity(to: origin, settings).subject
    }
    #expect(subject { _ in } == Reachability(host: "shop.test"))
    #expect(subject { $0.proxy = .url("http://proxy.test:3128") } == Reachability(host: "proxy.test"))
    #expect(subject { $0.proxy = .url("proxy.test:3128") } == Reachability(host: "proxy.test"))
    #expect(subject { $0.resolve = [ResolveOverride(host: "shop.test", port: 443, addresses: ["::1"])] } == Reachability(host: "::1"))
    #expect(subject { $0.connectTo = [ConnectOverride(toHost: "other.test")] } == Reachability(host: "other.test"))
    #expect(subject { $0.unixSocket = "/run/x.sock" } == nil)
  }

  @Test func `a request that waits for connectivity still fails if the connection is refused`() async throws {
    let session = Session(.ephemeral)
    let nobody = ReservedPort()
    defer { withExtendedLifetime(nobody) {} }
    let error = await #expect(throws: NetworkingError.self) {
      try await session.request("http://127.0.0.1:\(nobody.number)/").waitsForConnectivity().string
    }
    #expect(error?.reason.kind == .refused)
  }

  @Test func `the sequence of reachability changes ends when the task that reads it is cancelled`() async {
    var changes = Reachability(host: "127.0.0.1").changes.makeAsyncIterator()
    #expect(await changes.next()?.isReachable == true)
    let task = Task {
      var changes = Reachability(host: "127.0.0.1").changes.makeAsyncIterator()
      _ = await changes.next()
      return await changes.next()
    }
    task.cancel()
    #expect(await task.value == nil)
  }

  @Test func `after a first reader of reachability changes has ended, a second reader receives the current reachability`() async {
    let reachability = Reachability(host: "127.0.0.1")
    for _ in 0..<2 {
      var changes = reachability.changes.makeAsyncIterator()
      #expect(await changes.next()?.isReachable == true)
    }
  }
}
