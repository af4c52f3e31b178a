import CCurl

extension CurlLibrary {
  /// Fails for a credential that this libcurl can't use.
  func check(_ credential: Credential) throws(NetworkingError) {
    switch credential {
    case .negotiate: try require(hasNegotiate, "Negotiate")
    case .ntlm: try require(hasNTLM, "NTLM")
    case .challenged, .basic, .bearer, .digest, .aws: break
    }
  }

  /// Fails for a scheme that this libcurl can't use with a proxy.
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
  /// libcurl's bit for it.
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
