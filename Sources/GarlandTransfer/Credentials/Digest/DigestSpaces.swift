/// The known protection spaces, each with its nonce, so that a server need not challenge every request.
///
/// Each engine has its own value of this type.
struct DigestSpaces {
  /// The values that a request needs for its answer to a Digest challenge.
  struct Use: Sendable, Hashable {
    var challenge: DigestChallenge
    /// The number of requests sent with the nonce, including the current request.
    var count: UInt32
    /// The client nonce of the first request that used the server's nonce.
    var sessionNonce: String
  }

  private struct Space {
    let account: ChallengedAccount
    var challenge: DigestChallenge
    var count: UInt32 = 0
    var sessionNonce: String
    /// The paths of the protection space, as listed by the server. Empty for the whole origin.
    var prefixes: [String]
    /// The directories of the paths at which the server sent the challenge of this protection space. Some servers have several
    /// protection spaces and do not list their paths; the directories then decide which space a path belongs to.
    var directories: [String]
  }

  private static let limit = 256
  private static let directoryLimit = 32
  /// The known protection spaces, ordered by the time of their last challenge: the latest is last.
  private var spaces: [Space] = []

  /// Returns the challenge of the protection space with the given nonce. Without such a space, returns the challenge of the space that fits
  /// the path best; nil if no space is known.
  func challenge(for path: String, _ account: ChallengedAccount, nonce: String? = nil) -> DigestChallenge? {
    index(for: path, account, nonce).map { spaces[$0].challenge }
  }

  /// Returns the values with which a request answers a digest challenge, and counts the request. The values belong to the protection space
  /// with the given nonce; without such a space, to the space that fits the path best.
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

  /// Records a challenge for a path. `clientNonce` is used for the first request with the nonce of the challenge.
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

  /// Removes the protection space with the given nonce. Call it if the server has refused the answer with this nonce and has sent no
  /// challenge that can be answered.
  mutating func forget(nonce: String, _ account: ChallengedAccount) {
    spaces.removeAll { $0.account == account && $0.challenge.nonce == nonce }
  }

  /// Returns the index of the protection space with the given nonce; without such a space, the index of the best space for `path`.
  ///
  /// The best space has the highest score; if several spaces have this score, the space that was challenged last is the best. If the server
  /// has listed the paths of a space, the score is the length of the longest listed path that is a prefix of `path`; a space without such a
  /// path is skipped. If the server has listed no paths, `path` is compared with each of ``Space/directories``, and the score is the
  /// largest number of bytes that are equal at the beginning.
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
