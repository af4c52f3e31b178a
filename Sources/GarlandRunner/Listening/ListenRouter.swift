import Synchronization

/// The paths that are listened at, by port: what the server's thread and the run both look at.
final class ListenRouter: Sendable {
  private let paths = Mutex<[Int: ListenPath]>([:])

  func set(_ path: ListenPath, for port: Int) { paths.withLock { $0[port] = path } }

  /// The status of the answer: whether the request is meant for somebody.
  func status(for request: IncomingRequest, at port: Int) -> Int {
    paths.withLock { $0[port] }?.item(for: request.path) == nil ? 404 : 200
  }
}
