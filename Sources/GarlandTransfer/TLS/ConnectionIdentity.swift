/// The properties that distinguish TLS connections, besides the properties that libcurl compares before it reuses a connection.
///
/// libcurl does not know which evaluator checked a connection, what the connection's handshake requested, or which key the connection used.
/// So each combination of these properties gets a number, which is stored where libcurl compares it: in bits of `CURLOPT_SSL_OPTIONS` that
/// have a meaning only on Windows.
struct ConnectionIdentity: Hashable {
  /// Whether trust evaluators check the connection. A request with evaluators cannot use a connection of a request without evaluators,
  /// because that connection may have resumed a TLS session. A resumed session has no verified certificate chain.
  var isEvaluated = false
  var requestsStaple = false
  var serverName = TLSSettings.ServerName.automatic
  var key: ClientCertificate.Source?
  var password: String?

  static let usual = ConnectionIdentity()
}

/// Assigns numbers to the connection identities of an engine.
struct ConnectionIdentities {
  /// The bits of libcurl's TLS options in which the number of a connection identity is stored: `CURLSSLOPT_NO_REVOKE`,
  /// `CURLSSLOPT_REVOKE_BEST_EFFORT` and `CURLSSLOPT_AUTO_CLIENT_CERT`.
  private static let bits = [2, 8, 32]
  private var numbers: [ConnectionIdentity: Int] = [:]

  /// Returns the bits of libcurl's TLS options that represent `identity`: 0 for the default identity. libcurl reuses a connection only for
  /// requests with the same bits.
  ///
  /// Returns nil if the engine has more identities than the bits can represent. The caller must then forbid the reuse of the connection.
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
