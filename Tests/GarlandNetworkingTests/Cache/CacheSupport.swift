import GarlandNetworking
import Synchronization
import TestSupport
import TransferTestSupport

/// A clock that starts with the test and advances only when the test advances it, regardless of the machine's
/// speed.
final class CacheTime: Sendable {
  private let start = SessionClock().secondsSince1970()
  private let offset = Atomic<Int64>(0)
  func advance(by seconds: Int64) { offset.add(seconds, ordering: .relaxed) }
  var now: @Sendable () -> Int64 { { [self] in start + offset.load(ordering: .relaxed) } }
}

/// A server that answers as a closure defines, and records the requests.
final class CacheServer: Sendable {
  let heads = Collected<String>()
  private let server: RawServer
  var url: String { server.url }
  var count: Int { heads.all.count }

  init(_ answer: @escaping @Sendable (_ head: String, _ number: Int) -> String) throws {
    server = try RawServer { [heads] connection in
      while let (head, _) = connection.readRequest() {
        heads.add(head)
        connection.send(answer(head, heads.all.count))
      }
    }
  }

  static func response(_ fields: String, _ body: String = "hello", status: String = "200 OK") -> String {
    "HTTP/1.1 \(status)\r\n\(fields.split(separator: "\n").map { $0 + "\r\n" }.joined())Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
  }
}

/// The helpers for tests of the cache.
protocol CacheTesting {
  var time: CacheTime { get }
}

extension CacheTesting {
  typealias Source = TransactionMetrics.Source

  func session(
    _ cache: ResponseCache? = nil, kind: SessionConfiguration.Kind = .default, _ change: (inout SessionConfiguration) -> Void = { _ in }
  ) -> Session {
    var configuration = SessionConfiguration(kind: kind)
    configuration.cache = cache ?? ResponseCache(now: time.now)
    change(&configuration)
    return Session(configuration)
  }

  /// Returns the body of a response and the source of the response.
  func get(_ request: DataRequest) async throws -> (String, Source?) {
    let text = try await request.string
    return (text, request.metrics.last?.transactions.last?.source)
  }
}

/// A gate that opens once.
final class BegunGate: Sendable {
  private let state = Mutex((isOpen: false, waiting: [UnsafeContinuation<Void, Never>]()))

  func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  func wait() async {
    await withUnsafeContinuation { continuation in
      let isOpen = state.withLock { state in
        if !state.isOpen { state.waiting.append(continuation) }
        return state.isOpen
      }
      if isOpen { continuation.resume() }
    }
  }
}
