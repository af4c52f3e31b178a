import Glibc
import Synchronization

/// Reads a file on its own thread, piece by piece. Each piece is read only after the previous piece was consumed, so a slow consumer slows
/// down the reading.
final class FileSource: Sendable {
  enum Event: Sendable {
    /// The file was opened; `length` is its length in bytes.
    case opened(length: Int64)
    case piece([UInt8])
    case end
    case failed(NetworkingError.File)
  }

  private struct State {
    var isWanted = true
    var isCancelled = false
  }

  private let path: String
  private let state = Mutex(State())
  private let gate = Gate()
  private static let pieceSize = 256 << 10

  init(path: String) { self.path = path }

  /// Starts the thread, which calls `take` for each event. If `readsContent` is false, only the length is reported. Returns nil if the
  /// thread was started; otherwise returns the reason why it could not be started.
  func start(readsContent: Bool, _ take: @escaping @Sendable (Event) -> Void) -> String? {
    WorkerThread.start(name: "garland-file") { [self] in
      do throws(NetworkingError.File) {
        try read(readsContent: readsContent, take)
      } catch {
        take(.failed(error))
      }
    }
  }

  /// Requests the next piece of the file.
  func next() {
    state.withLock { $0.isWanted = true }
    gate.open()
  }

  /// Stops reading, and ends the thread that reads the file.
  func cancel() {
    state.withLock { $0.isCancelled = true }
    gate.open()
  }

  /// Waits until `next()` requests the next piece of the file. Returns false if the reading was cancelled.
  private func mayGoOn() -> Bool {
    gate.wait { state.withLock { $0.isWanted || $0.isCancelled } }
    return state.withLock { state in
      state.isWanted = false
      return !state.isCancelled
    }
  }

  private func read(readsContent: Bool, _ take: (Event) -> Void) throws(NetworkingError.File) {
    func failure(_ operation: NetworkingError.File.Operation, _ number: Int32 = errno) -> NetworkingError.File {
      NetworkingError.File(path: path, operation: operation, detail: systemMessage(number))
    }
    // The file is opened without blocking: a named pipe would wait for a writer.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw failure(.open) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw failure(.read) }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw failure(.read, EISDIR)
    default: throw NetworkingError.File(path: path, operation: .read, detail: "not a regular file")
    }
    guard mayGoOn() else { return }
    take(.opened(length: Int64(status.st_size)))
    while readsContent {
      guard mayGoOn() else { return }
      var number: Int32 = 0
      let piece = [UInt8](unsafeUninitializedCapacity: Self.pieceSize) { buffer, count in
        var received = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        while received < 0, errno == EINTR { received = Glibc.read(descriptor, buffer.baseAddress, buffer.count) }
        if received < 0 { number = errno }
        count = max(0, received)
      }
      if number != 0 { throw failure(.read, number) }
      if piece.isEmpty { return take(.end) }
      take(.piece(piece))
    }
    if mayGoOn() { take(.end) }
  }
}
