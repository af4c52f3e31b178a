import Glibc
import GarlandCrypto

/// Writes a body to a temporary file beside its target.
final class DownloadWriter {
  private let target: DownloadTarget
  private let temporaryPath: String
  private let targetPath: String
  private var descriptor: Int32
  private var written: Int64 = 0
  private let hasher: DigestHasher?

  /// Makes the temporary file. `suggestion` is used if the target leaves the name to the server.
  init(_ target: DownloadTarget, suggestion: @autoclosure () -> String) throws(NetworkingError) {
    self.target = target
    targetPath = target.name == .given ? target.path : Self.joined(target.path, suggestion())
    let (folder, name) = Self.split(targetPath)
    if target.createsDirectories { try Directories.make(folder) }
    if !target.replacesExisting, access(targetPath, F_OK) == 0 {
      throw NetworkingError(.download(.init(path: targetPath, operation: .create, detail: systemMessage(EEXIST))))
    }
    if target.computesDigest {
      do {
        hasher = try DigestHasher(.sha256)
      } catch {
        throw NetworkingError(.unsupported("\(error)"))
      }
    } else {
      hasher = nil
    }
    var path = ""
    var descriptor: Int32 = -1
    var generator = SystemRandomNumberGenerator()
    // Another process may have taken the name: then another one is tried, and that a few times.
    for _ in 0..<16 where descriptor < 0 {
      // A name may have 255 bytes; what is put around it takes 24.
      let stem = String(decoding: name.utf8.prefix(220), as: UTF8.self)
      path = "\(folder)/.\(stem).\(String(generator.next(upperBound: UInt32.max), radix: 36)).part"
      descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o666)
      if descriptor < 0, errno != EEXIST { break }
    }
    guard descriptor >= 0 else {
      throw NetworkingError(.download(.init(path: targetPath, operation: .create, detail: systemMessage(errno))))
    }
    self.descriptor = descriptor
    temporaryPath = path
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

  /// Ends writing. The file now belongs to the result.
  func finish() throws(NetworkingError) -> DownloadedFile {
    let status = close(descriptor)
    descriptor = -1
    guard status == 0 else {
      unlink(temporaryPath)
      throw NetworkingError(.download(.init(path: targetPath, operation: .write, detail: systemMessage(errno))))
    }
    let digest: Digest?
    do {
      digest = try hasher?.finish()
    } catch {
      unlink(temporaryPath)
      throw NetworkingError(.unsupported("\(error)"))
    }
    return DownloadedFile(
      temporaryPath: temporaryPath, targetPath: targetPath, size: written, digest: digest, replacesExisting: target.replacesExisting)
  }

  /// Removes the temporary file, unless it was finished.
  func abandon() {
    guard descriptor >= 0 else { return }
    close(descriptor)
    descriptor = -1
    unlink(temporaryPath)
  }

  private static func joined(_ folder: String, _ name: String) -> String {
    folder.isEmpty ? name : folder.utf8.last == UInt8(ascii: "/") ? folder + name : folder + "/" + name
  }

  /// The folder, `.` if there is none, and the name.
  static func split(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", path) }
    let folder = path[..<slash]
    return (folder.isEmpty ? "/" : String(folder), String(path[path.utf8.index(after: slash)...]))
  }
}
