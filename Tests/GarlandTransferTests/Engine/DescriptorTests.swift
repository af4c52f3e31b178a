import GarlandTransfer
import Glibc
import Synchronization
import TestSupport
import Testing
import TransferTestSupport

/// Tests that an engine closes everything it opens, and passes nothing to child processes.
@Suite(.timeLimit(.minutes(15))) struct DescriptorTests {
  /// The number of transfers: 10,000 for `make soak`.
  private static let transfers = getenv("GARLAND_TRANSFERS").flatMap { Int(String(cString: $0)) } ?? 1_000

  /// Counts the open connections of a server, for a test that waits until there are none.
  private final class OpenConnections: Sendable {
    private let state = Mutex((count: 0, waiting: UnsafeContinuation<Void, Never>?.none))

    func change(by amount: Int) {
      let waiting = state.withLock { state -> UnsafeContinuation<Void, Never>? in
        state.count += amount
        guard state.count == 0 else { return nil }
        defer { state.waiting = nil }
        return state.waiting
      }
      waiting?.resume()
    }

    /// Returns when no connection is open. Call it once, when no more connections can arrive.
    func waitForNone() async {
      await withUnsafeContinuation { continuation in
        let isNone = state.withLock { state in
          if state.count > 0 { state.waiting = continuation }
          return state.count == 0
        }
        if isNone { continuation.resume() }
      }
    }
  }

  /// Returns all descriptors of this process. Other tests run at the same time, and may hold thousands of them.
  private static func openDescriptors() -> [Int32] {
    guard let folder = opendir("/proc/self/fd") else { return [] }
    defer { closedir(folder) }
    var found: [Int32] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if let descriptor = Int32(name) { found.append(descriptor) }
    }
    return found
  }

  /// Returns this process's descriptors of files in a folder.
  private static func descriptors(in folder: String) -> [Int32] {
    openDescriptors().filter { descriptor in
      var target = [CChar](repeating: 0, count: 4096)
      let count = max(0, readlink("/proc/self/fd/\(descriptor)", &target, target.count))
      return String(decoding: target[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self).hasPrefix(folder)
    }
  }

  /// Returns this process's sockets that are connected to a port.
  private static func sockets(to port: UInt16) -> [Int32] {
    openDescriptors().filter { descriptor in
      var address = sockaddr_in()
      var size = socklen_t(MemoryLayout<sockaddr_in>.size)
      let status = withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(descriptor, $0, &size) }
      }
      return status == 0 && address.sin_family == sa_family_t(AF_INET) && UInt16(bigEndian: address.sin_port) == port
    }
  }

  @Test func `no file descriptor stays open after transfers and cancellations`() async throws {
    let folder = try TemporaryFolder()
    let upload = folder.path + "/upload"
    try folder.write("upload", [UInt8](repeating: 1, count: 50_000))
    let open = OpenConnections()
    let half = [UInt8](repeating: 2, count: 10_000)
    let server = try RawServer { connection in
      open.change(by: 1)
      while let request = connection.readRequest() {
        connection.send("HTTP/1.1 200 OK\r\nContent-Length: 20000\r\n\r\n")
        guard connection.send(half), !request.head.contains("/truncated"), connection.send(half) else { break }
      }
      open.change(by: -1)
    }
    var configuration = EngineConfiguration()
    configuration.connectionsPerOrigin = 32
    let engine = Engine(configuration: configuration)
    var generator = SeededRandom(seed: 10)
    let counts = await withTaskGroup(of: NetworkingError.Kind?.self) { group in
      for index in 0..<Self.transfers {
        let kind = Int.random(in: 0..<5, using: &generator)
        var request = TransferRequest(url: server.url + (kind == 0 ? "/truncated" : "/"))
        if kind <= 2 { request.destination = .file(DownloadTarget(path: "\(folder.path)/download-\(index)")) }
        if kind == 3 {
          request.method = .put
          request.body = .file(path: upload)
        }
        // Limits that are never reached on any machine: their timers must be released too.
        request.settings.deadline = .seconds(3600)
        request.settings.idleTimeout = .seconds(3600)
        let transfer = request
        // Some transfers are cancelled while they wait for a connection, some in the middle, some too late.
        let patience = Bool.random(using: &generator) ? Int.random(in: 0..<(Self.transfers * 300), using: &generator) : nil
        group.addTask {
          let task = Task { () -> NetworkingError.Kind? in
            do {
              _ = try await engine.response(for: transfer)
              return nil
            } catch {
              return (error as? NetworkingError)?.reason.kind
            }
          }
          let cancelling = patience.map { engine.schedule(after: .microseconds($0)) { task.cancel() } }
          let kind = await task.value
          cancelling?.cancel()
          return kind
        }
      }
      return await group.reduce(into: [NetworkingError.Kind?: Int]()) { $0[$1, default: 0] += 1 }
    }
    #expect(counts.values.reduce(0, +) == Self.transfers)
    #expect(Set(counts.keys).isSubset(of: [nil, .cancelled, .truncated]), "\(counts)")
    #expect(counts[nil] ?? 0 > 100)
    #expect(counts[.cancelled] ?? 0 > 0)
    #expect(counts[.truncated] ?? 0 > 0)
    engine.shutDown()
    #expect(Self.sockets(to: server.port).isEmpty)
    #expect(Self.descriptors(in: folder.path).isEmpty)
    #expect(folder.names == ["upload"])
    // The test ends when the server has seen the end of every connection.
    await open.waitForNone()
  }

  @Test func `a child process inherits no connection`() async throws {
    let server = try PlainServer("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    let engine = Engine()
    _ = try await engine.response(for: TransferRequest(url: server.url))
    let port = try #require(URLReference(server.url).port)
    let kept = Self.sockets(to: UInt16(port))
    #expect(kept.count == 1)
    for descriptor in kept { #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0) }
    engine.shutDown()
    #expect(Self.sockets(to: UInt16(port)).isEmpty)
    let error = await #expect(throws: NetworkingError.self) { try await engine.response(for: TransferRequest(url: server.url)) }
    #expect(error?.reason == .shutDown)
  }
}
