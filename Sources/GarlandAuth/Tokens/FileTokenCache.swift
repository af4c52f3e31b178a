import GarlandCrypto
import GarlandJSON
import Glibc

/// Stores tokens in files that only their owner can read: one file for each key, written atomically. A key is a text that identifies the
/// tokens; see ``OAuthConfiguration/identity``.
///
/// The folder has mode 0700, and files have mode 0600. If other users can read a file or folder, or if it belongs to another user, the
/// cache refuses it. A lock file for each token file prevents processes from refreshing the same tokens at the same time.
public struct FileTokenCache: TokenCache {
  /// The path of the folder that contains the token files.
  public let directory: String
  private let patience: Duration
  private let sleep: @Sendable (Duration) async throws -> Void

  /// Creates a cache in a folder. The folder is created when it is first needed. `patience` is the maximum time to wait for another process
  /// that holds a lock.
  public init(
    directory: String, patience: Duration = .seconds(120),
    sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) {
    self.directory = directory
    self.patience = patience
    self.sleep = sleep
  }

  /// Returns the default folder of a user: `$XDG_STATE_HOME/garland/tokens`, or
  /// `~/.local/state/garland/tokens`; nil without a home directory.
  public static func defaultDirectory(environment: [String: String]) -> String? {
    if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") { return "\(state)/garland/tokens" }
    guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
    return "\(home)/.local/state/garland/tokens"
  }

  /// Returns the tokens for a key; nil if there is no file for the key, or if the file does not contain valid tokens.
  public func tokens(for key: String) async throws(OAuthError) -> TokenSet? {
    try read(try path(key))
  }

  /// Reads the tokens for a key, passes them to `body` and writes the tokens that `body` returns. The key stays locked during the whole
  /// operation.
  public func update(
    _ key: String, _ body: @Sendable (TokenSet?) async throws(OAuthError) -> TokenSet
  ) async throws(OAuthError) -> TokenSet {
    let path = try path(key)
    try makeDirectory()
    let lock = try await lock(path + ".lock")
    defer { close(lock) }
    let old = try read(path)
    // The file is created before the provider is asked: a refresh token can be used once, and its
    // result must be kept (RFC 9700 section 4.14).
    let temporary = try create(path + ".new")
    defer { unlink(path + ".new") }
    let new: TokenSet
    do throws(OAuthError) {
      new = try await body(old)
    } catch {
      close(temporary)
      throw error
    }
    if new == old {
      close(temporary)
    } else {
      try write(new, key: key, into: temporary, path)
    }
    return new
  }

  /// Removes the file for a key. Returns whether the file existed.
  public func remove(_ key: String) async throws(OAuthError) -> Bool {
    let path = try path(key)
    guard access(directory, F_OK) == 0 else { return false }
    let lock = try await lock(path + ".lock")
    defer { close(lock) }
    if unlink(path) == 0 { return true }
    guard errno == ENOENT else { throw Self.failure("remove", path) }
    return false
  }

  private func path(_ key: String) throws(OAuthError) -> String {
    do throws(CryptoError) {
      return "\(directory)/\(try Digest(of: key.utf8, using: .sha256).hex.prefix(32)).json"
    } catch {
      throw .cache("\(error)")
    }
  }

  private func makeDirectory() throws(OAuthError) {
    var made = directory.hasPrefix("/") ? "" : "."
    for piece in directory.split(separator: "/") {
      made += "/\(piece)"
      guard mkdir(made, 0o700) != 0, errno != EEXIST, access(made, F_OK) != 0 else { continue }
      throw Self.failure("make", made)
    }
    var status = stat()
    guard stat(directory, &status) == 0 else { throw Self.failure("open", directory) }
    try Self.check(status, directory)
  }

  /// Locks the file at `path` and returns its descriptor. Waits without blocking a thread while another process has the lock.
  private func lock(_ path: String) async throws(OAuthError) -> Int32 {
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { throw Self.failure("open", path) }
    let end = ContinuousClock.now + patience
    var pause = Duration.milliseconds(2)
    while flock(file, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK || errno == EINTR, ContinuousClock.now < end else {
        let failure = errno == EWOULDBLOCK ? OAuthError.cache("another process has locked \(path)") : Self.failure("lock", path)
        close(file)
        throw failure
      }
      do {
        try await sleep(pause)
      } catch {
        close(file)
        throw .cancelled
      }
      pause = min(pause * 2, .milliseconds(100))
    }
    return file
  }

  private func read(_ path: String) throws(OAuthError) -> TokenSet? {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else {
      guard errno == ENOENT || errno == ENOTDIR else { throw Self.failure("open", path) }
      return nil
    }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw Self.failure("open", path) }
    try Self.check(status, path)
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    while bytes.count < 4 << 20 {
      let count = Glibc.read(file, &buffer, buffer.count)
      guard count >= 0 else { throw Self.failure("read", path) }
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    guard let value = try? JSONValue(parsing: bytes), let tokens = value["tokens"] else { return nil }
    return TokenSet(tokens)
  }

  /// Creates a new temporary file at `path`, and returns its descriptor. A file that an earlier process has left at this path is removed
  /// first: that process no longer holds the lock on the tokens.
  private func create(_ path: String) throws(OAuthError) -> Int32 {
    unlink(path)
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { throw Self.failure("create", path) }
    // Reserve space, so that a full disk is detected before the request to the provider. Some file systems do not report it here.
    guard posix_fallocate(file, 0, Self.room) != ENOSPC else {
      close(file)
      unlink(path)
      throw .cache("could not write \(path): \(String(cString: strerror(ENOSPC)))")
    }
    ftruncate(file, 0)
    return file
  }

  private static let room: off_t = 16 << 10

  private func write(_ tokens: TokenSet, key: String, into file: Int32, _ path: String) throws(OAuthError) {
    let temporary = path + ".new"
    // The identity helps users who read the file; it contains no secret.
    let value: JSONValue = ["identity": .array(key.split(separator: "\n").map { .string(String($0)) }), "tokens": tokens.json]
    let bytes = value.jsonBytes(options: .pretty)
    var offset = 0
    while offset < bytes.count {
      let count = bytes[offset...].withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      guard count > 0 else {
        let failure = Self.failure("write", temporary)
        close(file)
        throw failure
      }
      offset += count
    }
    // The content is flushed before the file gets its name; otherwise a crash of the machine could
    // leave an empty file.
    guard fsync(file) == 0 else {
      let failure = Self.failure("write", temporary)
      close(file)
      throw failure
    }
    close(file)
    guard rename(temporary, path) == 0 else { throw Self.failure("move", temporary) }
  }

  private static func check(_ status: stat, _ path: String) throws(OAuthError) {
    guard status.st_uid == geteuid() else { throw .cache("\(path) belongs to another user") }
    guard status.st_mode & 0o077 == 0 else { throw .cache("\(path) can be read by others: chmod go= \(path)") }
  }

  private static func failure(_ operation: String, _ path: String) -> OAuthError {
    .cache("could not \(operation) \(path): \(String(cString: strerror(errno)))")
  }
}
