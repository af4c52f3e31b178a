/// What servers have asked for before, so that not every request has to be refused first. The engine's.
struct ChallengeMemory {
  var digests = DigestSpaces()
  var basics = BasicSpaces()
}

/// User and password for an origin, which answer challenges.
struct ChallengedAccount: Sendable, Hashable {
  var origin: Origin
  var user: String
  var password: String
}

/// Where servers have asked for Basic. A pure value.
struct BasicSpaces {
  private struct Space: Hashable {
    let account: ChallengedAccount
    let directory: String
  }

  private static let limit = 256
  private var spaces: [Space] = []

  /// The server asked for Basic at a path.
  mutating func learn(_ path: String, _ account: ChallengedAccount) {
    let space = Space(account: account, directory: DigestSpaces.directory(of: path))
    if spaces.contains(space) { return }
    spaces.append(space)
    if spaces.count > Self.limit { spaces.removeFirst() }
  }

  /// Whether user and password may be sent at once: for paths at or below one that asked (RFC 7617, section 2.2).
  func cover(_ path: String, _ account: ChallengedAccount) -> Bool {
    spaces.contains { $0.account == account && path.utf8.starts(with: $0.directory.utf8) }
  }

  /// User or password were not right.
  mutating func forget(_ account: ChallengedAccount) { spaces.removeAll { $0.account == account } }
}
