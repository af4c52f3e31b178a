import COpenSSL

/// An OCSP response, as servers staple it to their certificate.
struct StapledResponse {
  let der: [UInt8]
  /// Seconds since 1970.
  let now: Int64

  /// How old a response may be that does not say how long it holds, in seconds.
  private static let maximumAge: Int64 = 7 * 24 * 3600
  /// How far clocks may be apart, in seconds.
  private static let tolerance: Int64 = 300

  /// Whether a certificate says that it comes with a response.
  static func isPromised(by certificate: Certificate) -> Bool {
    Certificate.withParsed(certificate.der) { garland_must_staple($0) == 1 } ?? false
  }

  /// What speaks against `certificate`, which `issuer` has made; nil if it is good.
  func problem(for certificate: Certificate, issuer: Certificate) -> NetworkingError.Trust.Revocation? {
    defer { ERR_clear_error() }
    let problem: Problem?? = Certificate.withParsed(certificate.der) { certificate in
      let problem: Problem?? = Certificate.withParsed(issuer.der) { issuer in self.problem(certificate, issuer) }
      return problem ?? .unreadable
    }
    return problem ?? .unreadable
  }

  private typealias Problem = NetworkingError.Trust.Revocation

  private func problem(_ certificate: OpaquePointer, _ issuer: OpaquePointer) -> Problem? {
    let response: OpaquePointer? = der.withUnsafeBufferPointer { buffer in
      var position = buffer.baseAddress
      return d2i_OCSP_RESPONSE(nil, &position, buffer.count)
    }
    guard let response else { return .unreadable }
    defer { OCSP_RESPONSE_free(response) }
    guard OCSP_response_status(response) == OCSP_RESPONSE_STATUS_SUCCESSFUL, let basic = OCSP_response_get1_basic(response) else {
      return .unreadable
    }
    defer { OCSP_BASICRESP_free(basic) }
    guard garland_ocsp_is_signed(basic, issuer) == 1 else { return .untrusted }
    for index in 0..<OCSP_resp_count(basic) {
      guard let answer = OCSP_resp_get0(basic, index), garland_ocsp_is_about(answer, certificate, issuer) == 1 else { continue }
      return problem(answer)
    }
    return .otherCertificate
  }

  private func problem(_ answer: OpaquePointer) -> Problem? {
    var reason: Int32 = -1
    var revoked: UnsafeMutablePointer<ASN1_GENERALIZEDTIME>?
    var this: UnsafeMutablePointer<ASN1_GENERALIZEDTIME>?
    var next: UnsafeMutablePointer<ASN1_GENERALIZEDTIME>?
    let status = OCSP_single_get0_status(answer, &reason, &revoked, &this, &next)
    // That it was revoked does not become less true with time.
    if status == V_OCSP_CERTSTATUS_REVOKED {
      return .revoked(reason: reason >= 0 ? OCSP_crl_reason_str(Int(reason)).map { String(cString: $0) } : nil)
    }
    guard let this = Certificate.seconds(this), this <= now + Self.tolerance else { return .notCurrent }
    let end: Int64
    if let next {
      guard let time = Certificate.seconds(next) else { return .notCurrent }
      end = time
    } else {
      end = this + Self.maximumAge
    }
    guard now <= end + Self.tolerance else { return .notCurrent }
    return status == V_OCSP_CERTSTATUS_GOOD ? nil : .unknown
  }
}
