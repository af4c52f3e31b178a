/// The challenges that the engine remembers. With these challenges, a later request is sent with its credential at once, and the server
/// need not refuse it first.
struct ChallengeMemory {
  var digests = DigestSpaces()
  var basics = BasicSpaces()
}

/// The user and password that answer the challenges of one origin.
struct ChallengedAccount: Sendable, Hashable {
  var origin: Origin
  var user: String
  var password: String
}

/// The paths at which servers required Basic authentication.
struct BasicSpaces {
  private struct Space: Hashable {
    let account: ChallengedAccount
    let directory: String
  }

  private static let limit = 256
  private var spaces: [Space] = []

  /// Records that the server required Basic authentication at a path.
  mutating func learn(_ path: String, _ account: ChallengedAccount) {
    let space = Space(account: account, directory: DigestSpaces.directory(of: path))
    if spaces.contains(space) { return }
    spaces.append(space)
    if spaces.count > Self.limit { spaces.removeFirst() }
  }

  /// Whether user and password may be sent to a path before the server sends a challenge. This is the case if the server has required a
  /// user and a password for a path in the same directory or in a parent directory (RFC 7617, section 2.2).
  func cover(_ path: String, _ account: ChallengedAccount) -> Bool {
    spaces.contains { $0.account == account && path.utf8.starts(with: $0.directory.utf8) }
  }

  /// Removes the recorded paths that need the given user and password, since the server has refused this user and password.
  mutating func forget(_ account: ChallengedAccount) { spaces.removeAll { $0.account == account } }
}
