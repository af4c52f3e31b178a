import GarlandCrypto
import GarlandJSON

/// Checks a JWT that a client sends instead of a secret or a password (RFC 7523, section 3).
struct AssertionCheck {
  private static let longestLife = 600.0

  private let audiences: [String]
  private let now: Double

  init(_ request: SandboxRequest, _ tenant: TenantState) {
    audiences = ["\(request.origin)/oauth/token", request.origin]
    now = Double(tenant.date)
  }

  /// Returns the reason why the JWT is rejected; nil if it is accepted. An accepted JWT can't be used again.
  func problem(with token: JSONWebToken, key: JSONWebKey, _ tenant: inout TenantState) -> String? {
    do throws(TokenError) {
      try token.signature.verify(with: key, accepting: [.hs256, .hs384, .hs512, .rs256, .ps256, .es256, .edDSA])
      try token.check(JSONWebToken.Expectations(now: now, skew: 5, required: ["iss", "sub", "aud", "exp", "jti"]))
      guard let expiry = try token.time("exp"), expiry - now <= Self.longestLife else { return "it lives longer than 10 minutes" }
    } catch {
      return "\(error)"
    }
    guard token.audience.contains(where: { audiences.contains($0) }) else {
      return "its audience is \(token.audience.joined(separator: ", ")), expected \(audiences[0])"
    }
    guard let id = token.claims["jti"]?.stringValue, tenant.provider.useUp(assertion: "\(token.issuer ?? "") \(id)") else {
      return "it was used before"
    }
    return nil
  }
}
