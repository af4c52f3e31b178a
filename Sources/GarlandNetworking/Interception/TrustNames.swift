// Trust evaluators by name: `try ServerTrustManager(["api.example.com": .publicKeys("sha256/…")])`.

extension ServerTrustEvaluating where Self == RevocationTrustEvaluator {
  /// Refuses a server if its certificate was revoked, or if the server sends no OCSP response together with the certificate (stapling).
  public static var revocationChecking: RevocationTrustEvaluator { RevocationTrustEvaluator() }

  /// Refuses a server whose certificate was revoked. If `requiresStaple` is true, also refuses a
  /// server that sends no OCSP response with its certificate. If `validatesHost` is true, the
  /// certificate must contain the name or address of the host.
  public static func revocationChecking(requiresStaple: Bool = true, validatesHost: Bool = true) -> RevocationTrustEvaluator {
    RevocationTrustEvaluator(requiresStaple: requiresStaple, validatesHost: validatesHost)
  }
}

extension ServerTrustEvaluating where Self == PinnedCertificatesTrustEvaluator {
  /// Accepts a server whose certificate chain contains one of the given certificates. Throws if the
  /// list is empty.
  public static func pinnedCertificates(
    _ certificates: [Certificate], acceptsSelfSigned: Bool = false, validatesHost: Bool = true
  ) throws(TrustConfigurationError) -> PinnedCertificatesTrustEvaluator {
    try PinnedCertificatesTrustEvaluator(certificates, acceptsSelfSigned: acceptsSelfSigned, validatesHost: validatesHost)
  }
}

extension ServerTrustEvaluating where Self == PublicKeysTrustEvaluator {
  /// Accepts a server whose certificate chain contains one of the given public keys. Throws if the
  /// list is empty.
  public static func publicKeys(
    _ pins: [PublicKeyPin], validatesHost: Bool = true
  ) throws(TrustConfigurationError) -> PublicKeysTrustEvaluator {
    try PublicKeysTrustEvaluator(pins, validatesHost: validatesHost)
  }

  /// Accepts a server whose certificate chain contains one of the given public keys. Each key is a
  /// text in the form of ``PublicKeyPin/init(_:)``.
  public static func publicKeys(_ pins: String...) throws(TrustConfigurationError) -> PublicKeysTrustEvaluator {
    var parsed: [PublicKeyPin] = []
    for pin in pins { parsed.append(try PublicKeyPin(pin)) }
    return try PublicKeysTrustEvaluator(parsed)
  }
}

extension ServerTrustEvaluating where Self == CompositeTrustEvaluator {
  /// Accepts a server only if all of the evaluators accept it.
  public static func composite(_ evaluators: any ServerTrustEvaluating...) -> CompositeTrustEvaluator {
    CompositeTrustEvaluator(evaluators)
  }
}
