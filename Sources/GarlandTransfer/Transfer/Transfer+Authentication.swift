import CCurl
import GarlandCrypto
import Glibc
import HTTPTypes

/// What proves who is asking, hop by hop. Basic and bearer credentials are fields of the header from the beginning.
extension Transfer {
  /// Content up to this size is digested where it is needed; more is read beforehand, off the engine's thread.
  private static let digestedInPlaceLimit = 256 << 10
  /// Content beyond this size is not sent to a server that will most likely refuse it.
  private static let wastedBodyLimit: Int64 = 64 << 10

  // MARK: Sending

  /// Sets what the current hop proves who is asking with.
  func authorize(_ hop: RedirectState, on easy: EasyHandle) throws(NetworkingError) {
    proof.begin()
    if let signer = request.hopSigner, hop.count > 0, hop.isTrusted { return try signAgain(hop, by: signer) }
    guard let credential = request.credential, hop.isTrusted, hop.headerFields[.authorization] == nil else { return }
    switch credential {
    case .basic, .bearer: break
    case .digest: try answerDigest(hop)
    case .aws(let key): try sign(hop, with: key)
    case .negotiate:
      try CurlLibrary.shared.get().check(credential)
      // The name is the ticket's; but without any, libcurl does not begin.
      try easy.set(CURLOPT_USERNAME, "")
      try easy.set(CURLOPT_PASSWORD, "")
      try useLibrary(garland_curlauth_negotiate, on: easy)
      // Servers may take the connection for authenticated from then on. Nobody else may ride on it.
      easy.set(CURLOPT_FORBID_REUSE, 1)
      listenForTicketProblems(easy)
    case .ntlm(let user, let password):
      try CurlLibrary.shared.get().check(credential)
      try easy.set(CURLOPT_USERNAME, user)
      try easy.set(CURLOPT_PASSWORD, password)
      try useLibrary(garland_curlauth_ntlm, on: easy)
    }
  }

  private func useLibrary(_ scheme: Int, on easy: EasyHandle) throws(NetworkingError) {
    easy.set(CURLOPT_HTTPAUTH, scheme)
    proof.usesLibrary = true
  }

  private func signAgain(_ hop: RedirectState, by signer: any HopSigner) throws(NetworkingError) {
    var url = hop.url
    url.fragment = nil
    url.userInfo = nil
    do {
      let field = try signer.authorization(
        method: hop.method.rawValue, url: url.description, contentType: hop.headerFields[.contentType],
        body: hop.sendsBody ? content.bytes : nil)
      proof.fields = [HTTPField(name: .authorization, value: field)]
    } catch {
      throw NetworkingError(.unsupported("\(error)"))
    }
  }

  /// Without a ticket libcurl sends nothing, and says why only to whoever wants to debug it.
  private func listenForTicketProblems(_ easy: EasyHandle) {
    easy.set(CURLOPT_VERBOSE, 1)
    garland_setopt_debug_callback(easy.handle, CURLOPT_DEBUGFUNCTION, receiveDebugText)
    garland_setopt_pointer(easy.handle, CURLOPT_DEBUGDATA, Unmanaged.passUnretained(self).toOpaque())
  }

  private func answerDigest(_ hop: RedirectState) throws(NetworkingError) {
    guard let account = digestAccount, case .digest(let user, let password) = request.credential else { return }
    proof.digestUse = context?.digests.use(for: hop.url.path, account, nonce: proof.pendingNonce)
    proof.digest.send(nonce: proof.digestUse?.challenge.nonce)
    guard let use = proof.digestUse else { return }
    do {
      let answer = DigestAnswer(
        challenge: use.challenge, user: user, password: password, method: hop.method.rawValue, uri: hop.url.target, count: use.count,
        clientNonce: use.challenge.isSession || use.count == 1 ? use.sessionNonce : try Self.clientNonce(), sessionNonce: use.sessionNonce,
        contentDigest: use.challenge.quality == .authInt ? try contentDigest(use.challenge.hash) : "")
      proof.fields = [HTTPField(name: .authorization, value: try answer.authorization())]
    } catch {
      throw NetworkingError(.unsupported("\(error)"))
    }
  }

  private func sign(_ hop: RedirectState, with key: AWSCredential) throws(NetworkingError) {
    do {
      let isDigested = key.placement == .header && key.payload == .digest
      let digest = isDigested ? try contentDigest(.sha256) : ""
      var url = hop.url
      url.fragment = nil
      url.userInfo = nil
      let signature = try AWSSigner(key, time: key.time ?? Int64(time(nil))).sign(
        method: hop.method.rawValue, url: url, fields: hop.headerFields, contentDigest: digest)
      proof.fields = signature.fields
      proof.signedURL = signature.url
    } catch {
      throw NetworkingError(.unsupported("\(error)"))
    }
  }

  /// The digest of what the current hop sends, in hexadecimal.
  private func contentDigest(_ algorithm: DigestAlgorithm) throws(CryptoError) -> String {
    guard hop?.sendsBody == true else { return try Digest(of: EmptyCollection<UInt8>(), using: algorithm).hex }
    if let known = content.facts?.digests[algorithm] { return known }
    return try Digest(of: content.bytes ?? [], using: algorithm).hex
  }

  /// 128 random bits.
  private static func clientNonce() throws(CryptoError) -> String { Hex.encode(try SecureRandom.bytes(16)) }

  // MARK: What has to be known of the body

  /// The pass over the body that is needed before the current hop can be sent; nil if there is none.
  func missingPayload() throws(NetworkingError) -> PayloadPass? {
    guard let hop, hop.sendsBody, let reader = content.reader, request.credential != nil || request.compression != nil else { return nil }
    if let bodyBytes = content.bytes, bodyBytes.count <= Self.digestedInPlaceLimit { return nil }
    var algorithms: Set<DigestAlgorithm> = []
    if hop.isTrusted, hop.headerFields[.authorization] == nil {
      switch request.credential {
      case .aws(let key): if key.placement == .header, key.payload == .digest { algorithms.insert(.sha256) }
      case .digest:
        if let account = digestAccount, let context,
          let challenge = context.digests.challenge(for: hop.url.path, account, nonce: proof.pendingNonce),
          challenge.quality == .authInt
        {
          algorithms.insert(challenge.hash)
        }
      default: break
      }
    }
    let needsLength = request.compression?.announcesLength == true && content.length == nil
    guard needsLength || !algorithms.isEmpty, content.facts?.hold(algorithms) != true else { return nil }
    guard reader.isRepeatable else {
      if !algorithms.isEmpty { throw error(.authentication(.bodyNotRepeatable)) }
      throw error(.bodyStream(detail: "its compressed length is to be announced, and it can be read only once"))
    }
    return PayloadPass(body: request.body, compression: request.compression, algorithms: algorithms)
  }

  // MARK: Receiving

  /// User and password for digests, if the current hop is to have them.
  var digestAccount: DigestSpaces.Account? {
    guard case .digest(let user, let password) = request.credential, let hop, hop.isTrusted, hop.headerFields[.authorization] == nil,
      let origin
    else { return nil }
    return DigestSpaces.Account(origin: origin, user: user, password: password)
  }

  /// Looks at a head for what it has to say about digests. True if the request is sent again because of it, false if it fails, nil if it is a response like any.
  func answersChallenge() -> Bool? {
    guard let hop, let account = digestAccount, let context else { return nil }
    guard intake.head.status == 401 else {
      takeNextNonce(account, context)
      return nil
    }
    switch proof.digest.receive(AuthenticationChallenge.all(in: intake.head.fields)) {
    case .deliver:
      if let use = proof.digestUse { context.digests.forget(nonce: use.challenge.nonce, account) }
      return nil
    case .refuse(let detail):
      intake.failure = .authentication(.unsupportedChallenge(detail))
      return false
    case .answer(let challenge):
      if hop.sendsBody, !content.rewind() {
        intake.failure = .authentication(.bodyNotRepeatable)
        return false
      }
      guard let clientNonce = try? Self.clientNonce() else {
        intake.failure = .unsupported("no random bytes for an answer to a challenge")
        return false
      }
      context.digests.learn(challenge, at: hop.url, account, clientNonce: clientNonce)
      proof.pendingNonce = challenge.nonce
      intake.isAnswering = true
      return true
    }
  }

  /// RFC 7616, section 3.5.
  private func takeNextNonce(_ account: DigestSpaces.Account, _ context: LoopContext) {
    guard let use = proof.digestUse, let value = intake.head.fields[.authenticationInfo] else { return }
    var parser = ChallengeParser("Digest " + value)
    guard let next = parser.parse().first?["nextnonce"], !next.isEmpty, let clientNonce = try? Self.clientNonce() else { return }
    context.digests.replace(nonce: use.challenge.nonce, by: next, account, clientNonce: clientNonce)
  }

  /// Whether the head may be followed by another one of the same transaction, because libcurl answers it by itself.
  var mayBeAnsweredByLibrary: Bool {
    (intake.head.status == 401 && proof.usesLibrary) || (intake.head.status == 407 && route.negotiatesWithProxy)
  }

  /// Whether it is likely that the server refuses, and the content is too much, or not there twice, to be sent for nothing.
  var wouldWasteBody: Bool {
    guard proof.digestUse == nil, let hop, hop.sendsBody, let reader = content.reader, digestAccount != nil else { return false }
    return !reader.isRepeatable || (content.length ?? .max) > Self.wastedBodyLimit
  }
}

extension HTTPField.Name {
  /// RFC 9110, section 11.6.3. The literal is a token: the fallback is never taken.
  fileprivate static let authenticationInfo = HTTPField.Name("Authentication-Info") ?? .wwwAuthenticate
}

extension URLReference {
  /// What stands in the request line: path and query.
  var target: String { query.map { "\(path)?\($0)" } ?? path }
}
