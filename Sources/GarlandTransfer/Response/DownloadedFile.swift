import GarlandCrypto
import Synchronization

/// A complete download in a temporary file beside its target, until it is committed or discarded.
///
/// ```swift
/// guard case .file(let file) = response.body, response.status.kind == .successful else { … }
/// let path = try file.commit()
/// ```
/// A file that was neither committed nor discarded is discarded when its last reference is
/// released.
public final class DownloadedFile: Sendable {
  /// The current path.
  public let temporaryPath: String
  /// The path after ``commit()``.
  public let targetPath: String
  /// The number of bytes.
  public let size: Int64
  /// The SHA-256 digest, if requested.
  public let digest: Digest?
  /// The number of bytes from an earlier, interrupted download; nil if the download was not
  /// resumed.
  public let resumedAt: Int64?
  private let move: @Sendable () -> FileFailure?
  private let remove: @Sendable () -> Void
  private let state = Mutex(State.pending)

  private enum State { case pending, committed, discarded }

  /// Creates a file; `move` moves it to its place, until it succeeds, and `remove` deletes it.
  init(
    temporaryPath: String, targetPath: String, size: Int64, digest: Digest?, resumedAt: Int64?,
    move: @escaping @Sendable () -> FileFailure?, remove: @escaping @Sendable () -> Void
  ) {
    self.temporaryPath = temporaryPath
    self.targetPath = targetPath
    self.size = size
    self.digest = digest
    self.resumedAt = resumedAt
    self.move = move
    self.remove = remove
  }

  deinit { discard() }

  /// Moves the file to its target in one step and returns the target's path. A second call does
  /// nothing more.
  ///
  /// Throws ``NetworkingError/Reason/download(_:)`` if the target exists and must not be replaced,
  /// or the system refuses.
  @discardableResult
  public func commit() throws(NetworkingError) -> String {
    let failure: FileFailure? = state.withLock { state in
      guard state == .pending else {
        return state == .committed ? nil : .init(path: targetPath, operation: .move, detail: "the download was discarded")
      }
      if let failure = move() { return failure }
      state = .committed
      return nil
    }
    if let failure { throw NetworkingError(.download(failure)) }
    return targetPath
  }

  /// Removes the temporary file. Does nothing after ``commit()``.
  public func discard() {
    state.withLock { state in
      guard state == .pending else { return }
      state = .discarded
      remove()
    }
  }
}
