import CCurl

extension CurlLibrary {
  /// Throws if this libcurl does not support the credential.
  func check(_ credential: Credential) throws(NetworkingError) {
    switch credential {
    case .negotiate: try require(hasNegotiate, "Negotiate")
    case .ntlm: try require(hasNTLM, "NTLM")
    case .challenged, .basic, .bearer, .digest, .aws: break
    }
  }

  /// Throws if this libcurl does not support the proxy scheme.
  func check(_ scheme: ProxyCredentials.Scheme) throws(NetworkingError) {
    switch scheme {
    case .negotiate: try require(hasNegotiate, "Negotiate")
    case .ntlm: try require(hasNTLM, "NTLM")
    case .basic, .digest, .any: break
    }
  }

  private func require(_ isThere: Bool, _ name: String) throws(NetworkingError) {
    if !isThere { throw NetworkingError(.unsupported("\(name): libcurl \(version) was built without it")) }
  }
}

extension ProxyCredentials.Scheme {
  /// libcurl's option bit for the authentication scheme.
  var option: Int {
    switch self {
    case .basic: garland_curlauth_basic
    case .digest: garland_curlauth_digest
    case .ntlm: garland_curlauth_ntlm
    case .negotiate: garland_curlauth_negotiate
    case .any: garland_curlauth_any
    }
  }
}
