import GarlandNetworking
import Synchronization
import TestSupport

/// Changes of a network for the tests. Each prints what the library reports.
enum Scenarios {
  static func run(_ name: String) async throws {
    switch name {
    case "listeners": try await listeners()
    case "name": try await listensToAName()
    case "waits": try await waits()
    case "waits-name": try await waitsForAName()
    case "waits-deadline": try await waitsNoLongerThanItsDeadline()
    case "probes": try await probes()
    case "resolvers": try await resolvers()
    case "slow-names": try await SlowNames.run()
    default: throw Namespace.Failure(description: "there is no scenario `\(name)`")
    }
  }

  /// Changes something and prints the status that this leads to.
  private static func after(
    _ command: String, _ iterator: inout ReachabilityChanges.Iterator, until expected: (ReachabilityStatus) -> Bool
  ) async throws {
    try Namespace.run(command)
    // The kernel may report one change in several messages.
    while let status = await iterator.next() {
      if expected(status) { return print("\(command): \(status)") }
    }
  }

  private static func listeners() async throws {
    try Namespace.run("ip link set lo up")
    var world = Reachability().changes.makeAsyncIterator()
    print("world: \(await world.next().map(\.description) ?? "none")")
    let neighbour = Reachability(host: "10.9.0.7")
    let machine = Reachability(host: "127.0.0.1")
    print("neighbour: \(await neighbour.status)")
    print("machine: \(await machine.status)")
    try Namespace.wire()
    while let status = await world.next(), !status.isReachable {}
    print("wired: \(await Reachability().status)")
    print("neighbour: \(await neighbour.status)")
    print("elsewhere: \(await Reachability(host: "198.51.100.1").status)")
    print("elsewhere by IPv6: \(await Reachability(host: "2001:db8::1").status)")
    var changes = neighbour.changes.makeAsyncIterator()
    _ = await changes.next()
    try await after("ip route del default", &world) { !$0.isReachable }
    try await after("ip link set v0 down", &changes) { !$0.isReachable }
    try await after("ip link set v0 up", &changes) { $0.isReachable }
    try await after("ip route add default via 10.9.0.2", &world) { $0.isReachable }
    // The cable is pulled at the other end: routes stay, and lead nowhere.
    try await after("ip link set v1 down", &world) { !$0.isReachable }
    try await after("ip link set v1 up", &world) { $0.isReachable }
    try await after("ip route add blackhole 10.9.0.7", &changes) { !$0.isReachable }
  }

  private static func listensToAName() async throws {
    try Namespace.replace("/etc/hosts", by: "10.9.0.7 shop.test\n")
    try Namespace.replace("/etc/resolv.conf", by: "nameserver 10.9.0.53\noptions timeout:1 attempts:1\n")
    try Namespace.run("ip link set lo up")
    var shop = Reachability(host: "shop.test").changes.makeAsyncIterator()
    print("unwired: \(await shop.next().map(\.description) ?? "none")")
    try Namespace.wire()
    while let status = await shop.next(), !status.isReachable {}
    print("wired: \(await Reachability(host: "shop.test").status)")
    try await after("ip link set v0 down", &shop) { !$0.isReachable }
    print("unknown: \(await Reachability(host: "other.test").status)")
  }

  // MARK: Waiting

  /// Prints the events that waiting is about, and does something when a request begins to wait.
  private final class Monitor: EventMonitor {
    let onWait: @Sendable () -> Void
    init(onWait: @escaping @Sendable () -> Void) { self.onWait = onWait }

    func request(_ request: Request, did event: RequestEvent) {
      switch event {
      case .waitsForConnectivity(let obstacle):
        print("waits: \(obstacle)")
        onWait()
      case .finished(let error): print("finished: \(error?.description ?? "well")")
      default: break
      }
    }
  }

  private static func session(onWait: @escaping @Sendable () -> Void) -> Session {
    var configuration = SessionConfiguration.ephemeral
    configuration.waitsForConnectivity = true
    configuration.eventMonitors = [Monitor(onWait: onWait)]
    return Session(configuration)
  }

  private static func changeLater(_ commands: [String]) {
    Task {
      do { for command in commands { try Namespace.run(command) } } catch { print(error) }
    }
  }

  private static func answer(_ text: String) -> @Sendable (RawConnection) -> Void {
    { connection in
      while connection.readRequest() != nil { connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)") }
    }
  }

  private static func waits() async throws {
    try Namespace.run("ip link set lo up")
    let server = try RawServer(anyAddress: true, answer("there"))
    // The first change makes no difference, so the session waits on, and does not report it again.
    let session = session {
      changeLater([
        "ip link add v0 type veth peer name v1", "ip addr add 10.8.0.1/24 dev v0", "ip link set v0 up", "ip link set v1 up",
        "ip link set v0 down", "ip link set v0 up", "ip addr add 10.9.0.1/24 dev v0",
      ])
    }
    print("answer: \(try await session.request("http://10.9.0.1:\(server.port)/").string)")
    // There is a way now: nobody waits, and a refusal is one.
    do {
      print("answer: \(try await session.request("http://10.9.0.1:1/").string)")
    } catch {
      print("refused: \(error)")
    }
    withExtendedLifetime(server) {}
  }

  private static func waitsForAName() async throws {
    try Namespace.replace("/etc/hosts", by: "10.9.0.1 shop.test\n")
    try Namespace.run("ip link set lo up")
    let server = try RawServer(anyAddress: true, answer("there"))
    let session = session {
      changeLater(["ip link add v0 type veth peer name v1", "ip link set v1 up", "ip link set v0 up", "ip addr add 10.9.0.1/24 dev v0"])
      changeLater(["sleep 0; until ip route add default via 10.9.0.2 2>/dev/null; do :; done"])
    }
    async let first = session.request("http://shop.test:\(server.port)/").string
    print("answer: \(try await first)")
    withExtendedLifetime(server) {}
  }

  private static func waitsNoLongerThanItsDeadline() async throws {
    try Namespace.run("ip link set lo up")
    let session = session {}
    let request = session.request("http://10.9.0.1/") { $0.settings.deadline = .milliseconds(200) }
    _ = await request.response()
    let waiting = Mutex<Request?>(nil)
    let other = Self.session { waiting.withLock { _ = $0?.cancel() } }
    let cancelled = other.request("http://10.9.0.1/")
    waiting.withLock { $0 = cancelled }
    _ = await cancelled.response()
  }

  // MARK: Probing

  private static func probes() async throws {
    try Namespace.wire()
    try Namespace.replace("/etc/hosts", by: "10.9.0.1 both.test\n::1 both.test\n10.9.0.7 hole.test\n")
    // Somebody is said to be there, and whatever is sent to him is gone.
    try Namespace.run("ip neigh add 10.9.0.7 lladdr 02:00:00:00:00:07 nud permanent dev v0")
    let server = try RawServer(anyAddress: true, answer("there"))
    var probe = ReachabilityProbe(limit: .seconds(5))
    for target in ["http://both.test:\(server.port)/", "both.test:1", "198.51.100.1:80", "[2001:db8::1]:80"] {
      if target.hasPrefix("198") { try Namespace.run("ip route add unreachable 198.51.100.0/24") }
      let report = await probe.run(try ProbeTarget(target))
      print("\(target.replacing(":\(server.port)", with: "")): \(report.summary)")
    }
    probe.limit = .milliseconds(250)
    print("hole.test: \(await probe.run(try ProbeTarget("hole.test:80")).summary)")
    withExtendedLifetime(server) {}
  }

  private static func resolvers() async throws {
    try Namespace.run("ip link set lo up")
    try Namespace.replace("/etc/hosts", by: "127.0.0.1 localhost\n")
    try Namespace.replace("/etc/resolv.conf", by: "nameserver 127.0.0.1\noptions timeout:1 attempts:1\n")
    try Nameserver.start()
    let probe = ReachabilityProbe(limit: .milliseconds(400))
    for name in ["nx.test", "fail.test", "refuse.test", "empty.test", "silent.test", "bad_name..test"] {
      do {
        print("\(name): \(await probe.run(try ProbeTarget("\(name):1")).summary)")
      } catch {
        print("\(name): \(error)")
      }
    }
    for name in ["known.test", "localhost"] {
      let report = await probe.run(try ProbeTarget("\(name):1"))
      print("\(name): \(report.lookup.map { "\($0.addresses.map(\.description)) from \($0.source)" } ?? "none"), \(report.summary)")
    }
    try Namespace.replace("/etc/resolv.conf", by: "nameserver 198.51.100.1\nnameserver 127.0.0.2\noptions timeout:1 attempts:1\n")
    print("nobody to ask: \(await ReachabilityProbe().run(try ProbeTarget("known.test:1")).summary)")
  }
}
