/// The known protection spaces, each with its nonce, so that a server need not challenge every request.
///
/// Each engine has its own value of this type.
struct DigestSpaces {
  /// The values that a request needs for its answer to a Digest challenge.
  struct Use: Sendable, Hashable {
    var challenge: DigestChallenge
    /// The number of requests sent with the nonce, including the current request.
    var count: UInt32
    /// The client nonce (`cnonce`) of the first request that used the current nonce of the server.
    var sessionNonce: String
  }

  private struct Space {
    let account: ChallengedAccount
    var challenge: DigestChallenge
    var count: UInt32 = 0
    var sessionNonce: String
    /// The paths of the protection space, as listed by the server. Empty if the protection space is the whole origin.
    var prefixes: [String]
    /// The directories of the paths at which the server sent the challenge of this protection space. If the challenge does not list the
    /// paths of the space, these directories show how well another path fits the space.
    var directories: [String]
  }

  private static let limit = 256
  private static let directoryLimit = 32
  /// The known protection spaces, ordered by the time of their last challenge: the latest is last.
  private var spaces: [Space] = []

  /// Returns the challenge that contains `nonce`. If no known challenge contains this nonce, returns the challenge of the protection space
  /// whose path has the longest beginning in common with `path`; nil if no protection space fits.
  func challenge(for path: String, _ account: ChallengedAccount, nonce: String? = nil) -> DigestChallenge? {
    index(for: path, account, nonce).map { spaces[$0].challenge }
  }

  /// Returns the values with which a request answers a digest challenge, and counts the request.
  ///
  /// The values come from the protection space with the given nonce. If no space has this nonce, they come from the space whose path
  /// matches `path` best. Returns nil if no space matches, or if the request counter of the space is at its maximum.
  mutating func use(for path: String, _ account: ChallengedAccount, nonce: String? = nil) -> Use? {
    guard let index = index(for: path, account, nonce) else { return nil }
    if spaces[index].count == .max {
      spaces.remove(at: index)
      return nil
    }
    spaces[index].count += 1
    let space = spaces[index]
    return Use(challenge: space.challenge, count: space.count, sessionNonce: space.sessionNonce)
  }

  /// Records the challenge that a server has sent for a path. `clientNonce` is the client nonce of the first request that answers this
  /// challenge.
  mutating func learn(_ challenge: DigestChallenge, at url: URLReference, _ account: ChallengedAccount, clientNonce: String) {
    let directory = Self.directory(of: url.path)
    var directories: [String] = []
    if let index = spaces.firstIndex(where: { $0.account == account && $0.challenge.realm == challenge.realm }) {
      directories = spaces.remove(at: index).directories
    }
    directories.removeAll { $0 == directory }
    directories.append(directory)
    if directories.count > Self.directoryLimit { directories.removeFirst() }
    // Other origins in the list are ignored: this server alone cannot vouch for them.
    let prefixes = challenge.domain.compactMap { text -> String? in
      guard let place = (try? URLReference(text))?.resolved(against: url), place.origin == account.origin else { return nil }
      return place.path.isEmpty ? "/" : place.path
    }
    spaces.append(
      Space(account: account, challenge: challenge, sessionNonce: clientNonce, prefixes: prefixes, directories: directories))
    if spaces.count > Self.limit { spaces.removeFirst() }
  }

  /// Replaces a nonce with the next nonce that the server has sent (RFC 7616, section 3.5).
  mutating func replace(nonce: String, by next: String, _ account: ChallengedAccount, clientNonce: String) {
    guard let index = spaces.firstIndex(where: { $0.account == account && $0.challenge.nonce == nonce }) else { return }
    spaces[index].challenge = spaces[index].challenge.with(nonce: next)
    spaces[index].count = 0
    spaces[index].sessionNonce = clientNonce
  }

  /// Removes the protection space with the given nonce. Call this method if the server has refused a request with this nonce, and the
  /// response contains no challenge that can be answered.
  mutating func forget(nonce: String, _ account: ChallengedAccount) {
    spaces.removeAll { $0.account == account && $0.challenge.nonce == nonce }
  }

  /// Returns the index of the protection space that has the given nonce. If no space has this nonce, returns the index of the best space
  /// for `path`.
  ///
  /// The best space has the highest score. If several spaces have this score, the one that was challenged last is the best. The score of a
  /// space depends on the paths that the server has listed for it:
  /// - If the server has listed paths, the score is the length of the longest listed path that is a prefix of `path`. If no listed path is
  ///   a prefix, the space is skipped.
  /// - If the server has listed no paths, `path` is compared with each of ``Space/directories``. The score is the largest number of equal
  ///   bytes at the beginning.
  private func index(for path: String, _ account: ChallengedAccount, _ nonce: String?) -> Int? {
    if let nonce, let index = spaces.lastIndex(where: { $0.account == account && $0.challenge.nonce == nonce }) { return index }
    var best: (index: Int, score: Int)?
    for (index, space) in spaces.enumerated() where space.account == account {
      let score: Int
      if space.prefixes.isEmpty {
        score = space.directories.map { Self.sharedLength(path, $0) }.max() ?? 0
      } else if let length = space.prefixes.filter({ path.utf8.starts(with: $0.utf8) }).map(\.utf8.count).max() {
        score = length
      } else {
        continue
      }
      if let best, best.score > score { continue }
      best = (index, score)
    }
    return best?.index
  }

  /// Returns the directory of a path: the path up to and including its last slash; `/` if the path contains no slash.
  static func directory(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "/" }
    return String(path[...slash])
  }

  private static func sharedLength(_ left: String, _ right: String) -> Int {
    zip(left.utf8, right.utf8).prefix { $0 == $1 }.count
  }
}
