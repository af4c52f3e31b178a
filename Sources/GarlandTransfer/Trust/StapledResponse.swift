import COpenSSL

/// An OCSP response that a server sends together with its certificate (OCSP stapling).
enum StapledResponse {
  typealias Problem = NetworkingError.Trust.Revocation

  /// The status of one certificate, from an OCSP response that an authorised signer has signed.
  struct Answer: Sendable, Hashable {
    /// The reason to refuse the certificate: it is revoked, or its status is unknown. Nil if the certificate is good. This property ignores
    /// the validity period of the OCSP response; ``problem(at:)`` checks this period.
    let problem: Problem?
    /// The start of the OCSP response's validity period, in seconds since 1970.
    let begin: Int64
    /// The end of the validity period in seconds since 1970; nil if the period has no end.
    let end: Int64?

    /// The maximum age, in seconds, of an OCSP response that does not state when it expires.
    private static let maximumAge: Int64 = 7 * 24 * 3600
    /// The allowed difference, in seconds, between the clocks of this machine and of the OCSP responder.
    private static let tolerance: Int64 = 300

    /// Returns the problem of the certificate at the time `now`, in seconds since 1970; nil if the certificate is good.
    func problem(at now: Int64) -> Problem? {
      // A revocation stays valid after the response has expired.
      if case .revoked = problem { return problem }
      guard begin <= now + Self.tolerance, now <= (end ?? begin + Self.maximumAge) + Self.tolerance else { return .notCurrent }
      return problem
    }
  }

  /// Returns the status that an OCSP response in DER states for `certificate`, which `issuer` has issued.
  static func answer(in der: [UInt8], for certificate: Certificate, issuer: Certificate) -> Result<Answer, Problem> {
    defer { ERR_clear_error() }
    let found: Result<Answer, Problem>?? = Certificate.withParsed(certificate.der) { certificate in
      Certificate.withParsed(issuer.der) { issuer in answer(in: der, certificate, issuer) }
    }
    return (found ?? nil) ?? .failure(.unreadable)
  }

  private static func answer(in der: [UInt8], _ certificate: OpaquePointer, _ issuer: OpaquePointer) -> Result<Answer, Problem> {
    let response: OpaquePointer? = der.withUnsafeBufferPointer { buffer in
      var position = buffer.baseAddress
      return d2i_OCSP_RESPONSE(nil, &position, buffer.count)
    }
    guard let response else { return .failure(.unreadable) }
    defer { OCSP_RESPONSE_free(response) }
    guard OCSP_response_status(response) == OCSP_RESPONSE_STATUS_SUCCESSFUL, let basic = OCSP_response_get1_basic(response) else {
      return .failure(.unreadable)
    }
    defer { OCSP_BASICRESP_free(basic) }
    guard garland_ocsp_is_signed(basic, issuer) == 1 else { return .failure(.untrusted) }
    for index in 0..<OCSP_resp_count(basic) {
      guard let single = OCSP_resp_get0(basic, index), garland_ocsp_is_about(single, certificate, issuer) == 1 else { continue }
      return answer(single)
    }
    return .failure(.otherCertificate)
  }

  private static func answer(_ single: OpaquePointer) -> Result<Answer, Problem> {
    var reason: Int32 = -1
    var revoked: UnsafeMutablePointer<ASN1_GENERALIZEDTIME>?
    var this: UnsafeMutablePointer<ASN1_GENERALIZEDTIME>?
    var next: UnsafeMutablePointer<ASN1_GENERALIZEDTIME>?
    let status = OCSP_single_get0_status(single, &reason, &revoked, &this, &next)
    let problem: Problem? =
      switch status {
      case V_OCSP_CERTSTATUS_GOOD: nil
      case V_OCSP_CERTSTATUS_REVOKED: .revoked(reason: reason >= 0 ? OCSP_crl_reason_str(Int(reason)).map { String(cString: $0) } : nil)
      default: .unknown
      }
    guard let begin = Certificate.seconds(this) else { return .failure(.unreadable) }
    guard let next else { return .success(Answer(problem: problem, begin: begin, end: nil)) }
    guard let end = Certificate.seconds(next) else { return .failure(.unreadable) }
    return .success(Answer(problem: problem, begin: begin, end: end))
  }
}

extension NetworkingError.Trust.Revocation: Error {}
