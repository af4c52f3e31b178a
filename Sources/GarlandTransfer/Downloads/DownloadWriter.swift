import Glibc
import GarlandCrypto

/// Writes the body of a download to a temporary file in the folder of the download's target, or to the download's partial file.
final class DownloadWriter {
  private let target: DownloadTarget
  private let temporaryPath: String
  private let targetPath: String
  /// The partial file, which owns the descriptor; nil if the body is written to a temporary file.
  private let partial: PartialFile?
  private let resumedAt: Int64?
  /// The data with which the download can be resumed if it is interrupted; nil if it cannot be resumed.
  private(set) var resumeData: ResumeData?
  private var descriptor: Int32
  private var written: Int64 = 0
  private let hasher: DigestHasher?

  /// Creates the temporary file, and adds its path to `resumeData`. `suggestion` is the file name that the response or the URL of the
  /// response suggests. This name is used only if the path of `target` is the path of a folder.
  init(_ target: DownloadTarget, suggestion: @autoclosure () -> String, resumeData: ResumeData? = nil) throws(NetworkingError) {
    self.target = target
    targetPath = try Self.prepare(target, suggestion())
    hasher = target.computesDigest ? try Self.makeHasher() : nil
    let (folder, name) = FilePath.split(targetPath)
    var path = ""
    var descriptor: Int32 = -1
    var generator = SystemRandomNumberGenerator()
    // If another process has taken the name, try other names, up to 16 times.
    for _ in 0..<16 where descriptor < 0 {
      // A name may have 255 bytes; the additions take 24.
      let stem = String(decoding: name.utf8.prefix(220), as: UTF8.self)
      path = FilePath.joined(folder, ".\(stem).\(String(generator.next(upperBound: UInt32.max), radix: 36)).part")
      descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o666)
      if descriptor < 0, errno != EEXIST { break }
    }
    guard descriptor >= 0 else {
      throw NetworkingError(.download(.init(path: targetPath, operation: .create, detail: systemMessage(errno))))
    }
    self.descriptor = descriptor
    temporaryPath = path
    partial = nil
    resumedAt = nil
    self.resumeData = resumeData
    self.resumeData?.path = path
  }

  /// Creates a writer to a partial file, which is kept if the download is interrupted.
  ///
  /// If `partial` is nil, creates the partial file.
  ///
  /// - Parameters:
  ///   - url: The URL of the download.
  ///   - partial: The partial file that already exists; nil if there is none.
  ///   - resumeData: The data with which the download can be resumed after an interruption. Not used if `continues` is true, since
  ///     `partial` has its own data.
  ///   - continues: Whether the received bytes are appended to the content of `partial`. If false, they replace this content.
  init(
    _ target: DownloadTarget, suggestion: @autoclosure () -> String, url: String, partial: PartialFile?, resumeData: ResumeData?,
    continues: Bool
  ) throws(NetworkingError) {
    self.target = target
    targetPath = try Self.prepare(target, suggestion())
    if let partial, continues {
      resumedAt = partial.size
      written = partial.size
      hasher = target.computesDigest ? partial.hasher : nil
      self.resumeData = partial.resumeData
      self.partial = partial
      temporaryPath = partial.path
      descriptor = try partial.beginRest()
    } else {
      let partial = if let partial { partial } else { try PartialFile.created(for: target, url: url) }
      resumedAt = nil
      hasher = target.computesDigest ? try Self.makeHasher() : nil
      var resumeData = resumeData
      resumeData?.path = partial.path
      self.resumeData = resumeData
      self.partial = partial
      temporaryPath = partial.path
      descriptor = try partial.begin(resumeData)
    }
  }

  /// Returns the path of the target and creates missing folders if the target allows it. Throws if the path
  /// exists and must not be replaced, or if it is a device or a pipe.
  private static func prepare(_ target: DownloadTarget, _ suggestion: @autoclosure () -> String) throws(NetworkingError) -> String {
    let path = target.name == .given ? target.path : FilePath.joined(target.path, suggestion())
    if target.createsDirectories {
      do throws(FileFailure) {
        try Directories.make(FilePath.split(path).folder)
      } catch {
        throw NetworkingError(.download(error))
      }
    }
    var facts = stat()
    // Refuse a device such as /dev/null, which would be replaced with a file.
    if stat(path, &facts) == 0, ![S_IFREG, S_IFDIR].contains(facts.st_mode & S_IFMT) {
      throw NetworkingError(.download(.init(path: path, operation: .create, detail: "there is a device or a pipe of this name")))
    }
    if !target.replacesExisting, access(path, F_OK) == 0 {
      throw NetworkingError(.download(.init(path: path, operation: .create, detail: systemMessage(EEXIST))))
    }
    return path
  }

  private static func makeHasher() throws(NetworkingError) -> DigestHasher {
    do throws(CryptoError) {
      return try DigestHasher(.sha256)
    } catch {
      throw NetworkingError(.unsupported("\(error)"))
    }
  }

  deinit { abandon() }

  func write(_ bytes: UnsafeRawBufferPointer) throws(NetworkingError) {
    var rest = bytes
    while let base = rest.baseAddress, rest.count > 0 {
      let count = Glibc.write(descriptor, base, rest.count)
      if count < 0 {
        if errno == EINTR { continue }
        throw NetworkingError(.download(.init(path: targetPath, operation: .write, detail: systemMessage(errno))))
      }
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
    written += Int64(bytes.count)
    if let hasher {
      do {
        try hasher.update(bytes)
      } catch {
        throw NetworkingError(.unsupported("\(error)"))
      }
    }
  }

  /// Ends writing and returns the file. The returned object owns the file.
  func finish() throws(NetworkingError) -> DownloadedFile {
    let isWritten = partial?.check() ?? (close(descriptor) == 0)
    descriptor = -1
    guard isWritten else {
      let error = NetworkingError(.download(.init(path: targetPath, operation: .write, detail: systemMessage(errno))))
      remove()
      throw error
    }
    let digest: Digest?
    do {
      digest = try hasher?.finish()
    } catch {
      remove()
      throw NetworkingError(.unsupported("\(error)"))
    }
    let (temporaryPath, targetPath, replaces, partial) = (temporaryPath, targetPath, target.replacesExisting, partial)
    return DownloadedFile(
      temporaryPath: temporaryPath, targetPath: targetPath, size: written, digest: digest, resumedAt: resumedAt,
      move: {
        let failure = FileMover.move(temporaryPath, to: targetPath, replaces: replaces)
        if failure == nil { partial?.moved() }
        return failure
      }, remove: { if let partial { partial.remove() } else { unlink(temporaryPath) } })
  }

  /// Keeps the partial file for a later download and returns its resume data. If the download cannot be
  /// resumed, removes the file and returns nil.
  func keep() -> ResumeData? {
    guard descriptor >= 0, let resumeData, written > 0 else {
      abandon()
      return nil
    }
    if let partial { partial.close() } else { close(descriptor) }
    descriptor = -1
    return resumeData
  }

  /// Removes the temporary file or the partial file, unless the writer has already finished or kept it.
  func abandon() {
    guard descriptor >= 0 else { return }
    if partial == nil { close(descriptor) }
    descriptor = -1
    remove()
  }

  private func remove() {
    if let partial { partial.remove() } else { unlink(temporaryPath) }
  }
}
