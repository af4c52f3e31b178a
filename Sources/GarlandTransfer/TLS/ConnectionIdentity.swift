/// What tells TLS connections apart beside what libcurl itself compares before it uses one again.
///
/// libcurl knows nothing of who evaluated a connection, what was asked for in its handshake, or which key it was made with. So each of these
/// gets a number, and the number goes where libcurl compares it: into bits of `CURLOPT_SSL_OPTIONS` that mean something on Windows only.
struct ConnectionIdentity: Hashable {
  /// Whether evaluators apply. A connection that was resumed has no verified chain, so that those without evaluators are of no use to them.
  var isEvaluated = false
  var requestsStaple = false
  var serverName = TLSSettings.ServerName.automatic
  var key: ClientCertificate.Source?
  var password: String?

  static let usual = ConnectionIdentity()
}

/// The numbers of one engine's identities.
struct ConnectionIdentities {
  /// `CURLSSLOPT_NO_REVOKE`, `CURLSSLOPT_REVOKE_BEST_EFFORT` and `CURLSSLOPT_AUTO_CLIENT_CERT`.
  private static let bits = [2, 8, 32]
  private var numbers: [ConnectionIdentity: Int] = [:]

  /// What to set for `identity`: 0 for the usual, nil if there are more than fit; then a connection can't be shared.
  mutating func options(for identity: ConnectionIdentity) -> Int? {
    if identity == .usual { return 0 }
    let number: Int
    if let known = numbers[identity] {
      number = known
    } else {
      number = numbers.count + 1
      guard number < 1 << Self.bits.count else { return nil }
      numbers[identity] = number
    }
    return Self.bits.indices.reduce(0) { number & (1 << $1) != 0 ? $0 | Self.bits[$1] : $0 }
  }
}
