import Foundation
import GarlandSandbox
import TestSupport
import Testing

/// Tests that independent steps overlap. A server that delays one response until others were sent detects this, regardless of the speed of
/// the machine.
@Suite(.timeLimit(.minutes(15))) struct OverlapTests {
  /// A server that responds to each request when the test requests it.
  private final class Held: Sendable {
    private let released = DispatchSemaphore(value: 0)

    func release() { released.signal() }

    func server() throws -> RawServer {
      try RawServer { connection in
        while connection.readRequest() != nil {
          self.released.wait()
          connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        }
      }
    }
  }

  @Test func `a slow step of the quick start example delays only the steps that depend on it`() async throws {
    let sandbox = try await Sandbox.start()
    let (report, warehouse) = (Held(), Held())
    let (reportServer, warehouseServer) = try (report.server(), warehouse.server())
    let folder = try TemporaryFolder()
    let text = try String(contentsOfFile: Repository.path + "/examples/quickstart.yaml", encoding: .utf8)
      .replacing("get: /delay/0.8", with: "get: \(reportServer.url)/report")
      .replacing("get: /delay/0.4", with: "get: \(warehouseServer.url)/count")
      .replacing("timeout: 10s", with: "timeout: 5m").replacing("lt: 5s", with: "lt: 5m")
    try folder.write("quickstart.yaml", text)
    try folder.write("cover.png", Array(Data(contentsOf: URL(fileURLWithPath: Repository.path + "/examples/cover.png"))))
    let child = try Garland.start(["run", "quickstart.yaml"], environment: ["GARLAND_SANDBOX": sandbox.url], in: folder.path)
    func answered(_ method: String, _ start: String) async {
      await sandbox.waitForRequest { $0.method == method && $0.target.hasPrefix(start) && $0.finished != nil }
    }
    // Both slow responses are delayed. Meanwhile all independent steps run, including the last one of a chain of four.
    for (method, start) in [("GET", "/health"), ("POST", "/login"), ("POST", "/books"), ("PUT", "/books/"), ("POST", "/books/")] {
      await answered(method, start)
    }
    await sandbox.waitForRequest { $0.method == "GET" && $0.target.hasSuffix("/cover") && $0.finished != nil }
    await sandbox.waitForRequest {
      $0.method == "GET" && $0.target.hasPrefix("/books/") && !$0.target.hasSuffix("/cover") && $0.finished != nil
    }
    // The cleanup waits for the warehouse step, which uses the book, and not for the report step.
    #expect(!sandbox.records.contains { $0.method == "DELETE" })
    warehouse.release()
    await answered("DELETE", "/books/")
    report.release()
    let result = await child.result
    #expect(result.status == 0, "\(result.output)\(result.error)")
    // Dependencies are respected: a step's request is sent after the requests of the steps that it needs.
    let order = sandbox.records.sorted { $0.sequence < $1.sequence }.map { "\($0.method) \($0.target)" }
    await sandbox.stop()
    func place(_ method: String, _ matches: (String) -> Bool) throws -> Int {
      try #require(order.firstIndex { $0.hasPrefix(method + " ") && matches($0) }, "\(order)")
    }
    let login = try place("POST") { $0.hasSuffix("/login") }
    let create = try place("POST") { $0.hasSuffix("/books") }
    let cover = try place("PUT") { $0.hasSuffix("/cover") }
    let readBack = try place("GET") { $0.hasSuffix("/cover") }
    let review = try place("POST") { $0.hasSuffix("/reviews") }
    let remove = try place("DELETE") { _ in true }
    #expect(login < create && create < cover && cover < readBack && create < review, "\(order)")
    #expect(remove == order.count - 1, "\(order)")
    withExtendedLifetime((reportServer, warehouseServer)) {}
  }
}

/// Tests of `--engines`, which runs the same plan with several sending threads.
@Suite(.timeLimit(.minutes(15))) struct EnginesTests {
  @Test(arguments: [1, 2, 5]) func `with --engines, a step receives the values of steps that ran on other threads`(
    _ engines: Int
  )
    async throws
  {
    let sandboxes = [try await Sandbox.start(), try await Sandbox.start(), try await Sandbox.start()]
    let folder = try TemporaryFolder()
    let steps = (0..<24).map { number in
      """
        s\(number):
          post: ${env.SERVER\(number % 3)}/anything/n
          json: { value: "\(number == 0 ? "0" : "${s\(number - 1).value}")-\(number)" }
          retry: 1
          extract: { value: $.json.value }

      """
    }.joined()
    let names = (0..<24).map { "free\($0):\n    get: ${env.SERVER\($0 % 3)}/delay/0.01\n" }.map { "  " + $0 }.joined()
    _ = try folder.write("many.yaml", "garland: 1\nsteps:\n" + steps + names)
    var environment: [String: String?] = [:]
    for (number, sandbox) in sandboxes.enumerated() { environment["SERVER\(number)"] = sandbox.url }
    let result = try await Garland.run(
      ["run", "many.yaml", "--engines", "\(engines)", "--print", "${s23.value}"], environment: environment, in: folder.path)
    #expect(result.status == 0)
    #expect(result.output == (0..<24).reduce("0") { "\($0)-\($1)" } + "\n")
    for sandbox in sandboxes {
      #expect(sandbox.records.count == 16)
      await sandbox.stop()
    }
  }

  @Test(arguments: ["0", "65", "x"]) func `an invalid value of --engines is refused`(_ engines: String) async throws {
    let result = try await Garland.run(["run", "examples/quickstart.yaml", "--engines", engines], environment: [:])
    #expect(result.status == 2)
    #expect(result.error.contains("--engines"))
  }
}
