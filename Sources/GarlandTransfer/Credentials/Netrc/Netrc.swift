import Glibc

/// Users and passwords by host, from a netrc file as read by ftp, curl and git.
///
/// ```swift
/// configuration.credentials.netrc = try Netrc.ofUser(ProcessInfo.processInfo.environment)
/// ```
/// ```
/// machine api.example.com login alice password "two words"
/// default login anonymous password guest
/// ```
public struct Netrc: Sendable, Hashable {
  /// The login for a host: a user, a password and an account, from one `machine` or `default` entry of a netrc file.
  public struct Entry: Sendable, Hashable {
    /// The host; nil for the default entry.
    public var machine: String?
    /// The user; nil if the entry has none.
    public var login: String?
    /// The password of the user; nil if the entry has none.
    public var password: String?
    /// An additional account, which FTP servers may require; nil if the entry has none.
    public var account: String?

    /// Creates the login for a host. If `machine` is nil, the login is the default for all hosts without an entry.
    public init(machine: String?, login: String? = nil, password: String? = nil, account: String? = nil) {
      self.machine = machine
      self.login = login
      self.password = password
      self.account = account
    }
  }

  /// The entries in the order of the file.
  public var entries: [Entry]

  /// Creates a value from entries.
  public init(entries: [Entry] = []) { self.entries = entries }

  /// Parses the text of a netrc file.
  ///
  /// White space separates words. A word in double quotes may contain white space, and `\"`, `\\`,
  /// `\n`, `\r` and `\t`. Where a keyword is expected, `#` begins a comment. Macros (`macdef`, up
  /// to the next empty line) are skipped.
  public init(text: String) throws(NetrcError) { self = try Self(bytes: Array(text.utf8), path: nil) }

  private init(bytes: [UInt8], path: String?) throws(NetrcError) {
    var parser = NetrcParser(bytes, path: path)
    entries = try parser.parse()
  }

  /// Reads a netrc file. If the file contains a password of any user other than `anonymous`, the file must belong to the current user or to
  /// root, and must not be accessible to other users.
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
    // As in ftp: a file with only anonymous passwords may be readable by anybody.
    guard entries.contains(where: { $0.password != nil && $0.login != "anonymous" }) else { return }
    guard status.st_mode & 0o077 == 0 else { throw NetrcError(.readableByOthers(mode: status.st_mode & 0o777), path: path) }
    guard status.st_uid == geteuid() || status.st_uid == 0 else { throw NetrcError(.notOwned, path: path) }
  }

  /// Reads the user's file: the file at the path in the variable `NETRC`, otherwise `.netrc` in the folder of the variable `HOME`. A
  /// missing `.netrc` yields no entries; a missing file from `NETRC` is an error.
  public static func ofUser(_ environment: [String: String]) throws(NetrcError) -> Netrc {
    if let path = environment["NETRC"], !path.isEmpty { return try Netrc(path: path) }
    guard let home = environment["HOME"], !home.isEmpty else { return Netrc() }
    let path = home + "/.netrc"
    if access(path, F_OK) != 0, errno == ENOENT { return Netrc() }
    return try Netrc(path: path)
  }

  /// Returns the first entry for a host. If there is no such entry, returns the default entry, or nil without a default entry.
  ///
  /// If `login` is given, entries for any other user are ignored. An entry without a user fits every user.
  public func entry(for host: String, login: String? = nil) -> Entry? {
    let host = host.lowercased()
    let fitting = entries.filter { entry in login == nil || entry.login == nil || entry.login == login }
    return fitting.first { $0.machine?.lowercased() == host } ?? fitting.first { $0.machine == nil }
  }
}
