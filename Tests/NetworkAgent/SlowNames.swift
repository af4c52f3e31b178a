import GarlandNetworking
import TestSupport

/// Names whose lookup takes long: the nameserver holds its answers back until everything else has happened, on the one thread that all transfers share.
enum SlowNames {
  static func run() async throws {
    try Namespace.run("ip link set lo up")
    try Namespace.replace("/etc/hosts", by: "127.0.0.1 localhost\n")
    // Far longer than this test: a lookup that somebody waits for would not end well.
    try Namespace.replace("/etc/resolv.conf", by: "nameserver 127.0.0.1\noptions timeout:30 attempts:1\n")
    try Nameserver.start()
    let server = try RawServer { connection in
      while connection.readRequest() != nil { connection.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nthere") }
    }
    let engine = Engine()
    @Sendable func request(_ host: String, _ change: (inout TransferSettings) -> Void = { _ in }) -> TransferRequest {
      var request = TransferRequest(url: "http://\(host):\(server.port)/")
      change(&request.settings)
      return request
    }
    @Sendable func outcome(_ request: TransferRequest) async -> String {
      do throws(NetworkingError) {
        return String(decoding: try await engine.response(for: request).bytes, as: UTF8.self)
      } catch {
        return "\(error.reason)"
      }
    }

    // The first to be looked up, and the last to be answered.
    let slow = Task { await outcome(request("held-a.test")) }
    await Nameserver.waitForHeld(1)
    print("others: \(await Set((0..<20).asyncMap { await outcome(request("fast\($0).test")) }))")
    print("by address: \(await outcome(request("127.0.0.1")))")
    print("deadline: \(await outcome(request("held-b.test") { $0.deadline = .milliseconds(50) }))")
    print("connect timeout: \(await outcome(request("held-c.test") { $0.connectTimeout = .milliseconds(50) }))")
    let cancelled = Task { await outcome(request("held-d.test")) }
    await Nameserver.waitForHeld(4)
    cancelled.cancel()
    print("cancelled: \(await cancelled.value)")
    let other = Engine()
    let dropped = Task { _ = try? await other.response(for: request("held-e.test")) }
    await Nameserver.waitForHeld(5)
    other.shutDown()
    await dropped.value
    print("an engine was shut down")
    print("names held: \(Nameserver.heldNames)")
    Nameserver.release()
    print("slow: \(await slow.value)")
    engine.shutDown()
  }
}

extension Range<Int> {
  /// Returns the results of `transform` for all elements, computed concurrently.
  fileprivate func asyncMap(_ transform: @escaping @Sendable (Int) async -> String) async -> [String] {
    await withTaskGroup(of: String.self) { group in
      for element in self { group.addTask { await transform(element) } }
      return await group.reduce(into: []) { $0.append($1) }
    }
  }
}
