import Dispatch
import Foundation
import GarlandResults
import GarlandText
import GarlandTransfer
import Synchronization
import TestSupport
import Testing

@testable import GarlandRunner

/// Tests of hosts that break the connection for some paths and respond to all others.
@Suite(.timeLimit(.minutes(15))) struct BrokenPathTests {
  enum Fault: CaseIterable, Sendable {
    case close, reset, garbage, truncatedHead

    func happen(on connection: RawConnection) {
      switch self {
      case .close: break
      case .reset: connection.reset()
      case .garbage: connection.send("\u{1}\u{2} this is no HTTP\r\n\r\n")
      case .truncatedHead: connection.send("HTTP/1.1 200 OK\r\nContent-Le")
      }
    }
  }

  private static let empty = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"

  /// Starts a server that responds only to GET of `/good…`, and neither to `/` nor to HEAD.
  private static func server(_ happen: @escaping @Sendable (RawConnection) -> Void) throws -> RawServer {
    try RawServer { connection in
      while let request = connection.readRequest() {
        guard request.head.hasPrefix("GET /good") else { return happen(connection) }
        connection.send(empty)
      }
    }
  }

  private static func document(_ base: String, _ paths: [String], _ settings: String = "timeout: 30s") -> String {
    var text = "garland: 1\ndefaults: { base_url: '\(base)', \(settings) }\nsteps:\n"
    for (index, path) in paths.enumerated() { text += "  s\(index): { get: \(path) }\n" }
    return text
  }

  /// Returns steps that wait long for a response, except those for silent paths.
  private static func document(_ base: String, _ paths: [String], silent: (String) -> Bool) -> String {
    let steps = paths.enumerated().map { "  s\($0): { get: \($1), timeout: \(silent($1) ? "1s" : "30s") }\n" }
    return "garland: 1\ndefaults: { base_url: '\(base)' }\nsteps:\n" + steps.joined()
  }

  /// Returns 20 paths that fail and 20 paths that work.
  private static func paths(_ order: Int) -> [String] {
    let bad = (0..<20).map { "/bad\($0)" }
    let good = (0..<20).map { "/good\($0)" }
    switch order {
    case 0: return bad + good
    case 1: return good + bad
    default:
      var generator = SeededGenerator(seed: UInt64(order))
      return (bad + good).shuffled(using: &generator)
    }
  }

  private static func expectOnlyBrokenPathsFail(_ run: TestRun, _ paths: [String], sourceLocation: SourceLocation = #_sourceLocation) {
    let found = run.results.sorted { $0.step.index < $1.step.index }.map { "\(paths[$0.step.index]) \($0.outcome.rawValue)" }
    #expect(found == paths.map { "\($0) \($0.hasPrefix("/good") ? "passed" : "error")" }, sourceLocation: sourceLocation)
    #expect(run.results.allSatisfy { $0.exchanges.count == 1 }, "each is sent", sourceLocation: sourceLocation)
  }

  @Test(arguments: Fault.allCases, 0..<5)
  func `if a host fails for half of its URL paths, the request of each step is still sent to the host`(_ fault: Fault, _ order: Int)
    async throws
  {
    let server = try Self.server(fault.happen)
    for isSerial in [true, false] {
      let paths = Self.paths(order)
      let run = try await TestRun.carryOut(Self.document(server.url, paths), configure: { $0.pace.isSerial = isSerial })
      Self.expectOnlyBrokenPathsFail(run, paths)
    }
  }

  @Test func `if a TLS host closes connections for some URL paths, the requests of all steps are still sent to it`() async throws {
    let nginx = try NginxServer.shared()
    let folder = try TemporaryFolder()
    try FileManager.default.copyItem(atPath: nginx.certificates.authority, toPath: folder.path + "/ca.pem")
    for url in [nginx.secureHTTP1URL, nginx.secureURL] {
      let run = try await TestRun.carryOut(
        Self.document(url, ["/closed/0", "/json", "/closed/1", "/closed/2", "/json"], "tls: { ca: ca.pem }"), folder: folder,
        configure: { $0.pace.isSerial = true })
      #expect(run.outcomes == ["s0 error", "s1 passed", "s2 error", "s3 error", "s4 passed"], "\(url)")
    }
  }

  @Test func `if a host responds for some URL paths but not for others, all requests to the host are still sent`() async throws {
    let server = try Self.server { $0.readToEnd() }
    let paths = ["/good0", "/bad0", "/good1", "/bad1", "/bad2", "/good2", "/good3"]
    let run = try await TestRun.carryOut(
      Self.document(server.url, paths) { $0.hasPrefix("/bad") }, configure: { $0.pace.isSerial = true })
    Self.expectOnlyBrokenPathsFail(run, paths)
  }

  @Test func `if one URL path of a host stops responding, requests for other paths are still sent`() async throws {
    let server = try RawServer { connection in
      while let request = connection.readRequest() {
        guard request.head.hasPrefix("GET /good") || request.head.hasPrefix("GET /events ") else { return connection.readToEnd() }
        connection.send(Self.empty)
      }
    }
    let run = try await TestRun.carryOut(
      Self.document(server.url, ["/events", "/events?after=1", "/good"]) { $0.contains("?") }, configure: { $0.pace.isSerial = true })
    #expect(run.outcomes == ["s0 passed", "s1 error", "s2 passed"])
  }

  @Test func `if a host responds to its first request and to no later request, the host counts as unreachable`() async throws {
    final class Counter: Sendable { let count = Atomic<Int>(0) }
    let requests = Counter()
    let server = try RawServer { connection in
      while connection.readRequest() != nil {
        guard requests.count.wrappingAdd(1, ordering: .relaxed).newValue == 1 else { return connection.readToEnd() }
        connection.send(Self.empty)
      }
    }
    let paths = (0..<10).map { "/\($0)" }
    let run = try await TestRun.carryOut(Self.document(server.url, paths) { $0 != "/0" }, configure: { $0.pace.isSerial = true })
    #expect(run.outcomes == ["s0 passed", "s1 error"] + (2..<10).map { "s\($0) unreachable" })
    #expect(try run.result("s9").reason?.contains("received no HTTP response within") == true)
  }

  @Test func `if a response arrives while the run checks whether the host is reachable, the host counts as reachable`() async throws {
    let isLooking = DispatchSemaphore(value: 0)
    let server = try RawServer { connection in
      while let request = connection.readRequest() {
        if request.head.hasPrefix("HEAD ") {
          isLooking.signal()
          return connection.readToEnd()
        }
        if request.head.hasPrefix("GET /silent") { return connection.readToEnd() }
        if request.head.hasPrefix("GET /late") { isLooking.wait() }
        connection.send(Self.empty)
      }
    }
    let run = try await TestRun.carryOut(
      """
      garland: 1
      defaults: { base_url: '\(server.url)' }
      steps:
        silent: { get: /silent, timeout: 1s }
        late: { get: /late, timeout: 1m }
        next: { get: /next, timeout: 1m }
      """, configure: { $0.pace.perOrigin = 2 })
    #expect(run.outcomes == ["silent error", "late passed", "next passed"])
  }
}
