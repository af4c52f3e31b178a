import Glibc

/// Users and passwords by host, from a file as ftp, curl and git read it.
///
/// ```swift
/// configuration.credentials.netrc = try Netrc.ofUser(ProcessInfo.processInfo.environment)
/// ```
/// ```
/// machine api.example.com login alice password "two words"
/// default login anonymous password guest
/// ```
public struct Netrc: Sendable, Hashable {
  /// What is known for a host.
  public struct Entry: Sendable, Hashable {
    /// The host; nil for the entry that goes for all others.
    public var machine: String?
    /// The user.
    public var login: String?
    /// The password.
    public var password: String?
    /// An additional account, which FTP servers may ask for.
    public var account: String?

    /// All of it.
    public init(machine: String?, login: String? = nil, password: String? = nil, account: String? = nil) {
      self.machine = machine
      self.login = login
      self.password = password
      self.account = account
    }
  }

  /// In the order of the file.
  public var entries: [Entry]

  /// These entries.
  public init(entries: [Entry] = []) { self.entries = entries }

  /// Reads the text of a netrc file.
  ///
  /// Words are separated by white space; one in double quotes may hold some, and `\"`, `\\`, `\n`, `\r` and `\t`. Where a keyword is expected, `#` begins a comment. Macros
  /// (`macdef`, up to the next empty line) are skipped.
  public init(text: String) throws(NetrcError) { self = try Self(bytes: Array(text.utf8), path: nil) }

  private init(bytes: [UInt8], path: String?) throws(NetrcError) {
    var parser = NetrcParser(bytes, path: path)
    entries = try parser.parse()
  }

  /// Reads a file. One with passwords in it must belong to the user and must not be open to others.
  public init(path: String) throws(NetrcError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw NetrcError(.unreadable(systemMessage(errno)), path: path) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw NetrcError(.unreadable(systemMessage(errno)), path: path) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw NetrcError(.unreadable("not a regular file"), path: path) }
    guard status.st_size <= 1 << 20 else { throw NetrcError(.unreadable("larger than 1 MiB"), path: path) }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    var filled = 0
    while filled < bytes.count {
      let count = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress.map { $0 + filled }, $0.count - filled, off_t(filled)) }
      if count < 0 { throw NetrcError(.unreadable(systemMessage(errno)), path: path) }
      if count == 0 { break }
      filled += count
    }
    self = try Self(bytes: Array(bytes[..<filled]), path: path)
    // As ftp has it: what anybody may know may be read by anybody.
    guard entries.contains(where: { $0.password != nil && $0.login != "anonymous" }) else { return }
    guard status.st_mode & 0o077 == 0 else { throw NetrcError(.readableByOthers(mode: status.st_mode & 0o777), path: path) }
    guard status.st_uid == geteuid() || status.st_uid == 0 else { throw NetrcError(.notOwned, path: path) }
  }

  /// Reads the user's file: the one that the variable `NETRC` names, else `.netrc` in the folder that `HOME` names. Without the latter it is empty; that the former
  /// is missing is an error.
  public static func ofUser(_ environment: [String: String]) throws(NetrcError) -> Netrc {
    if let path = environment["NETRC"], !path.isEmpty { return try Netrc(path: path) }
    guard let home = environment["HOME"], !home.isEmpty else { return Netrc() }
    let path = home + "/.netrc"
    if access(path, F_OK) != 0, errno == ENOENT { return Netrc() }
    return try Netrc(path: path)
  }

  /// The entry for a host, and for a user if one is known already: the first that fits, else the default one.
  public func entry(for host: String, login: String? = nil) -> Entry? {
    let host = host.lowercased()
    let fitting = entries.filter { entry in login == nil || entry.login == nil || entry.login == login }
    return fitting.first { $0.machine?.lowercased() == host } ?? fitting.first { $0.machine == nil }
  }
}
