import Synchronization
import Testing

@testable import GarlandRunner
@testable import GarlandTransfer

/// Tests of the shared state of hosts, without a run.
@Suite struct HostsTests {
  private static let key = CircuitKey(origin: 0, TransferSettings())

  /// Returns the diagnosis that no program listens at the port.
  private static func diagnosis() async throws -> Diagnosis {
    Diagnosis(target: "http://h", report: await ReachabilityProbe().run(try ProbeTarget("127.0.0.1:1")), finder: "first")
  }

  private final class Log: Sendable {
    private let lines = Mutex<[String]>([])
    func add(_ line: String) { lines.withLock { $0.append(line) } }
    var all: [String] { lines.withLock { $0 } }
  }

  private static func word(_ standing: Hosts.Standing) -> String {
    switch standing {
    case .known: "known"
    case .inQuestion: "in question"
    case .unknown: "unknown"
    }
  }

  @Test func `if requests of several steps to a host fail, the reachability of the host is checked only once`() async throws {
    let hosts = Hosts()
    #expect(hosts.areAllWell)
    #expect(Self.word(hosts.standing(Self.key, cost: .zero)) == "unknown")
    #expect(Self.word(hosts.standing(Self.key, cost: .zero)) == "in question")
    #expect(!hosts.areAllWell)
    hosts.concluded(Self.key, try await Self.diagnosis(), at: .zero)
    #expect(Self.word(hosts.standing(Self.key, cost: .zero)) == "known")
  }

  @Test func `if a host is found to be down, the running steps that use it are notified before the waiting steps`() async throws {
    let hosts = Hosts()
    let log = Log()
    let run = Log()
    hosts.began(ObjectIdentifier(run)) { _, _ in log.add("spared") }
    _ = hosts.standing(Self.key, cost: .zero)
    hosts.park(Self.key) { log.add($0 == nil ? "sent" : "not sent") }
    hosts.waitForReport(Self.key) { _ in log.add("ended") }
    hosts.concluded(Self.key, try await Self.diagnosis(), at: .zero)
    #expect(log.all == ["spared", "ended", "not sent"])
  }

  @Test func `a host that responds to a step counts as reachable, even if the reachability check of this host fails`() async throws {
    let hosts = Hosts()
    let log = Log()
    _ = hosts.standing(Self.key, cost: .zero)
    hosts.park(Self.key) { log.add($0 == nil ? "sent" : "not sent") }
    hosts.noteAnswer(of: 0, to: "http://h/a", .get, by: TransferSettings(), at: .seconds(1))
    hosts.concluded(Self.key, try await Self.diagnosis(), at: .seconds(2))
    #expect(log.all == ["sent"])
    #expect(hosts.areAllWell)
  }

  @Test func `a run that has ended is not notified if a host is found to be down later`() async throws {
    let hosts = Hosts()
    let log = Log()
    let run = Log()
    hosts.began(ObjectIdentifier(run)) { _, _ in log.add("spared") }
    hosts.ended(ObjectIdentifier(run))
    _ = hosts.standing(Self.key, cost: .zero)
    hosts.concluded(Self.key, try await Self.diagnosis(), at: .zero)
    #expect(log.all.isEmpty)
  }

  /// The settings of a request that are no part of the way to the host: its message, its limits, and the checks of its response.
  private static let besideTheWay = [
    "idleTimeout", "deadline", "connectTimeout", "redirects", "redirectBoundary", "version", "receiveRate", "sendRate", "recordsSecurity",
    "maximumBodyBytes", "maximumHeaderBytes", "maximumHeaderFields", "decodesContent", "userAgent", "expectContinue", "cookies", "cache",
    "cachePolicy", "priority",
    // A host whose certificate is refused is reachable.
    "serverTrust",
    // A new connection goes the same way.
    "usesFreshConnection",
  ]

  @Test func `each setting of a request is part of the key of a circuit, or no part of the way to the host`() {
    let properties = Mirror(reflecting: TransferSettings.Values()).children.compactMap(\.label)
    let key = Mirror(reflecting: Self.key).children.compactMap(\.label).filter { $0 != "origin" }
    #expect(properties.filter { !Self.besideTheWay.contains($0) }.sorted() == key.sorted())
    #expect(Set(Self.besideTheWay).subtracting(properties) == [])
  }
}
