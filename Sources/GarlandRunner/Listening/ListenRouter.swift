import Synchronization

/// The paths of listening steps, by port, which the server's thread and the run share.
final class ListenRouter: Sendable {
  private let paths = Mutex<[Int: ListenPath]>([:])

  func set(_ path: ListenPath, for port: Int) { paths.withLock { $0[port] = path } }

  /// Returns the status of the answer: whether a step listens for the request.
  func status(for request: IncomingRequest, at port: Int) -> Int {
    paths.withLock { $0[port] }?.item(for: request.path) == nil ? 404 : 200
  }
}
