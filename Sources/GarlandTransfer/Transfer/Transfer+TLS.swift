import CCurl

extension Transfer {
  /// Configures an easy handle for a request over TLS.
  func setTLS(_ tls: TLSSettings, isTrusted: Bool, on easy: EasyHandle) throws(NetworkingError) {
    if let maximum = tls.maximumVersion, maximum < tls.minimumVersion {
      throw error(.tls(.settings, detail: "the highest version of TLS is lower than the lowest"))
    }
    var identity = ConnectionIdentity.usual
    let trust = try trust()
    var verifiesChain = tls.verifies
    var verifiesHost = tls.verifies
    if request.settings.recordsSecurity { askBeforeRequest(on: easy) }
    if let trust {
      verifiesChain = trust.requirements.verifiesChain
      verifiesHost = trust.requirements.verifiesHost
      if !trust.isDisabled { evaluate(trust, on: easy, &identity) }
    }
    if let authorities = trust?.authorities, !authorities.isEmpty {
      try easy.set(CURLOPT_CAINFO_BLOB, bytes: authorities)
    } else if let authorities = tls.authorities ?? CertificateAuthorities.system {
      try easy.set(CURLOPT_CAINFO, authorities)
    }
    garland_setopt_string(easy.handle, CURLOPT_CAPATH, nil)
    if !verifiesChain { easy.set(CURLOPT_SSL_VERIFYPEER, 0) }
    if !verifiesHost { easy.set(CURLOPT_SSL_VERIFYHOST, 0) }
    easy.set(CURLOPT_SSLVERSION, garland_ssl_version(Int32(tls.minimumVersion.rawValue), Int32(tls.maximumVersion?.rawValue ?? -1)))
    if let ciphers = tls.ciphers { try easy.set(CURLOPT_SSL_CIPHER_LIST, ciphers) }
    if let suites = tls.cipherSuites { try easy.set(CURLOPT_TLS13_CIPHERS, suites) }
    identity.serverName = tls.serverName
    if identity.requestsStaple || tls.serverName != .automatic {
      try easy.check(garland_setopt_tls_callback(easy.handle, CURLOPT_SSL_CTX_FUNCTION, prepareHandshake))
      garland_setopt_pointer(easy.handle, CURLOPT_SSL_CTX_DATA, Unmanaged.passUnretained(self).toOpaque())
    }
    // A client certificate follows the rules of credentials.
    if isTrusted, let certificate = tls.clientCertificate { try present(certificate, on: easy, &identity) }
    guard identity != .usual else { return }
    if let options = context?.connectionIdentities.options(for: identity) {
      easy.set(CURLOPT_SSL_OPTIONS, options)
    } else {
      easy.set(CURLOPT_FRESH_CONNECT, 1)
      easy.set(CURLOPT_FORBID_REUSE, 1)
      easy.set(CURLOPT_SSL_SESSIONID_CACHE, 0)
    }
  }

  /// Returns the trust check for the host of the current request; nil if the default validation is sufficient. Throws if the host requires
  /// a check but has no evaluator.
  private func trust() throws(NetworkingError) -> HostTrust? {
    guard let manager = request.settings.serverTrust, let host = origin?.host else { return nil }
    switch manager.decision(for: host) {
    case .usual: return nil
    case .refuse: throw error(.trust(.init(host: host, evaluator: "", problem: .noEvaluator)))
    case .evaluate(let trust): return trust
    }
  }

  private func evaluate(_ trust: HostTrust, on easy: EasyHandle, _ identity: inout ConnectionIdentity) {
    route.trust = trust
    identity.isEvaluated = true
    identity.requestsStaple = trust.requirements.requestsStaple
    askBeforeRequest(on: easy)
    // A resumed session has no certificate chain to check.
    easy.set(CURLOPT_SSL_SESSIONID_CACHE, 0)
  }

  private func askBeforeRequest(on easy: EasyHandle) {
    garland_setopt_prereq_callback(easy.handle, CURLOPT_PREREQFUNCTION, checkServerTrust)
    garland_setopt_pointer(easy.handle, CURLOPT_PREREQDATA, Unmanaged.passUnretained(self).toOpaque())
  }

  private func present(
    _ certificate: ClientCertificate, on easy: EasyHandle, _ identity: inout ConnectionIdentity
  ) throws(NetworkingError) {
    switch certificate.certificate {
    case .file(let path): try easy.set(CURLOPT_SSLCERT, path)
    case .bytes(let bytes): try easy.set(CURLOPT_SSLCERT_BLOB, bytes: bytes)
    }
    if certificate.format == .pkcs12 { try easy.set(CURLOPT_SSLCERTTYPE, "P12") }
    switch certificate.key {
    case .file(let path): try easy.set(CURLOPT_SSLKEY, path)
    case .bytes(let bytes): try easy.set(CURLOPT_SSLKEY_BLOB, bytes: bytes)
    case nil: break
    }
    // Without a password OpenSSL would ask on the terminal, and this thread would wait for the
    // answer.
    try easy.set(CURLOPT_KEYPASSWD, certificate.password ?? "")
    identity.key = certificate.key
    identity.password = certificate.password
  }
}
