import GarlandCrypto
import Synchronization

/// A download that is complete and lies in a temporary file beside its target, until it is committed or discarded.
///
/// ```swift
/// guard case .file(let file) = response.body, response.status.kind == .successful else { … }
/// let path = try file.commit()
/// ```
/// One that is neither committed nor discarded is discarded when the last reference to it goes.
public final class DownloadedFile: Sendable {
  /// Where the bytes are now.
  public let temporaryPath: String
  /// Where ``commit()`` will put them.
  public let targetPath: String
  /// How many bytes there are.
  public let size: Int64
  /// The SHA-256 digest, if it was asked for.
  public let digest: Digest?
  /// How many of the bytes were there before, from a download that had broken off; nil if it was not continued.
  public let resumedAt: Int64?
  private let move: @Sendable () -> FileFailure?
  private let remove: @Sendable () -> Void
  private let state = Mutex(State.pending)

  private enum State { case pending, committed, discarded }

  /// `move` puts the file in its place, until it succeeds; `remove` deletes it.
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

  /// Moves the file to its target in one step and returns the target's path. Doing it twice does nothing more.
  ///
  /// Throws ``NetworkingError/Reason/download(_:)`` if the target exists and is not to be replaced, or the system refuses.
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

  /// Removes the temporary file. After ``commit()`` it does nothing.
  public func discard() {
    state.withLock { state in
      guard state == .pending else { return }
      state = .discarded
      remove()
    }
  }
}
