import Synchronization

/// The paths of listening steps, by port. The server's thread and the run share it.
final class ListenRouter: Sendable {
  private let paths = Mutex<[Int: ListenPath]>([:])

  func set(_ path: ListenPath, for port: Int) { paths.withLock { $0[port] = path } }

  /// Returns the status of the response to a request: 200 if a step listens for it, otherwise 404.
  func status(for request: IncomingRequest, at port: Int) -> Int {
    paths.withLock { $0[port] }?.item(for: request.path) == nil ? 404 : 200
  }
}
