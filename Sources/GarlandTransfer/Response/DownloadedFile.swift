import GarlandCrypto
import Synchronization

/// A complete download in a temporary file in the folder of its target, until the file is committed or discarded.
///
/// ```swift
/// guard case .file(let file) = response.body, response.status.kind == .successful else { … }
/// let path = try file.commit()
/// ```
/// A file that was neither committed nor discarded is discarded when its last reference is
/// released.
public final class DownloadedFile: Sendable {
  /// The path of the temporary file.
  public let temporaryPath: String
  /// The path of the file after ``commit()``.
  public let targetPath: String
  /// The size of the file in bytes.
  public let size: Int64
  /// The SHA-256 digest of the file; nil if it was not requested.
  public let digest: Digest?
  /// The SHA-256 digest as lowercase hexadecimal text; nil if ``DownloadTarget/computesDigest`` did not request it.
  public var sha256: String? { digest?.hex }
  /// The number of bytes from an earlier, interrupted download; nil if the download was not
  /// resumed.
  public let resumedAt: Int64?
  private let move: @Sendable () -> FileFailure?
  private let remove: @Sendable () -> Void
  private let state = Mutex(State.pending)

  private enum State { case pending, committed, discarded }

  /// Creates the object for an existing temporary file. `move` moves the file to its target path. If `move` fails, the next call of
  /// ``commit()`` calls `move` again. `remove` deletes the file.
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

  /// Moves the file atomically to its target path and returns that path.
  ///
  /// A second call only returns the path.
  ///
  /// Throws ``NetworkingError/Reason/download(_:)`` if the target exists and must not be replaced, or if the
  /// system cannot move the file.
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

  /// Removes the temporary file. Has no effect after ``commit()``.
  public func discard() {
    state.withLock { state in
      guard state == .pending else { return }
      state = .discarded
      remove()
    }
  }
}
