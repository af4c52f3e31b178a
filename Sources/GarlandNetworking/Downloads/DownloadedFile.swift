import CCurl
import Glibc
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
  private let replacesExisting: Bool
  private let state = Mutex(State.pending)

  private enum State { case pending, committed, discarded }

  init(temporaryPath: String, targetPath: String, size: Int64, digest: Digest?, replacesExisting: Bool) {
    self.temporaryPath = temporaryPath
    self.targetPath = targetPath
    self.size = size
    self.digest = digest
    self.replacesExisting = replacesExisting
  }

  deinit { discard() }

  /// Moves the file to its target in one step and returns the target's path. Doing it twice does nothing more.
  ///
  /// Throws ``NetworkingError/Reason/download(_:)`` if the target exists and is not to be replaced, or the system refuses.
  @discardableResult
  public func commit() throws(NetworkingError) -> String {
    let failure: NetworkingError.File? = state.withLock { state in
      guard state == .pending else {
        return state == .committed ? nil : .init(path: targetPath, operation: .move, detail: "the download was discarded")
      }
      // The kernel makes "error if it exists" one step with the move, so that two downloads can't both win.
      var status = replacesExisting ? rename(temporaryPath, targetPath) : garland_rename_new(temporaryPath, targetPath)
      if status != 0, errno == EINVAL, !replacesExisting {
        // A file system without that flag: a hard link is refused as well if the name is taken.
        status = link(temporaryPath, targetPath)
        if status == 0 { unlink(temporaryPath) }
      }
      guard status == 0 else { return .init(path: targetPath, operation: .move, detail: systemMessage(errno)) }
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
      unlink(temporaryPath)
    }
  }
}
