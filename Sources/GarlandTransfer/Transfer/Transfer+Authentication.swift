import CCurl
import GarlandCrypto
import GarlandText
import Glibc
import HTTPTypes

/// The authentication of each request of a transfer: the first request and the requests after redirects. Basic and bearer credentials are
/// not handled here, since they are set as header fields before the transfer starts.
extension Transfer {
  /// The maximum size in bytes of content whose digest is computed on the engine's thread. Larger content is read in advance on another
  /// thread.
  private static let digestedInPlaceLimit = 256 << 10
  /// The maximum size in bytes of content that is sent without waiting for the server's permission (`Expect: 100-continue`), although the
  /// server will probably refuse the request with a challenge.
  private static let wastedBodyLimit: Int64 = 64 << 10

  // MARK: Sending

  /// Sets the credentials of the current request. Credentials for NTLM and Negotiate, which libcurl implements, become options of the
  /// handle `easy`; if `easy` is nil, they are omitted.
  func authorize(_ hop: RedirectState, on easy: EasyHandle?) throws(NetworkingError) {
    proof.begin()
    if let signer = request.hopSigner, hop.count > 0, hop.isTrusted { return try signAgain(hop, by: signer) }
    guard let credential = request.credential, hop.isTrusted, hop.headerFields[.authorization] == nil else { return }
    switch credential {
    case .basic, .bearer: break
    case .digest: try answerDigest(hop)
    case .challenged:
      try answerDigest(hop)
      if proof.digestUse == nil { try answerBasic(hop) }
    case .aws(let key): try sign(hop, with: key)
    case .negotiate:
      guard let easy else { break }
      try CurlLibrary.shared.get().check(credential)
      // The ticket contains the user name, but libcurl does not use Negotiate without a name option.
      try easy.set(CURLOPT_USERNAME, "")
      try easy.set(CURLOPT_PASSWORD, "")
      try useLibrary(garland_curlauth_negotiate, on: easy)
      // Servers may regard the connection as authenticated from then on, so no other request may
      // reuse it.
      easy.set(CURLOPT_FORBID_REUSE, 1)
      listenForTicketProblems(easy)
    case .ntlm(let user, let password):
      guard let easy else { break }
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

  /// Enables libcurl's debug output, which is the only source of the reason for a missing Kerberos ticket.
  private func listenForTicketProblems(_ easy: EasyHandle) {
    easy.set(CURLOPT_VERBOSE, 1)
    garland_setopt_debug_callback(easy.handle, CURLOPT_DEBUGFUNCTION, receiveDebugText)
    garland_setopt_pointer(easy.handle, CURLOPT_DEBUGDATA, Unmanaged.passUnretained(self).toOpaque())
  }

  private func answerDigest(_ hop: RedirectState) throws(NetworkingError) {
    guard let account = challengedAccount else { return }
    proof.digestUse = context?.challenges.digests.use(for: hop.url.path, account, nonce: proof.pendingNonce)
    proof.digest.send(nonce: proof.digestUse?.challenge.nonce)
    guard let use = proof.digestUse else { return }
    do {
      let answer = DigestAnswer(
        challenge: use.challenge, user: account.user, password: account.password, method: hop.method.rawValue, uri: hop.url.target,
        count: use.count,
        clientNonce: use.challenge.isSession || use.count == 1 ? use.sessionNonce : try Self.clientNonce(), sessionNonce: use.sessionNonce,
        contentDigest: use.challenge.quality == .authInt ? try contentDigest(use.challenge.hash) : "")
      proof.fields = [HTTPField(name: .authorization, value: try answer.authorization())]
    } catch {
      throw NetworkingError(.unsupported("\(error)"))
    }
  }

  /// Adds user and password as plain text to the request, if the server has required Basic authentication for this URL.
  private func answerBasic(_ hop: RedirectState) throws(NetworkingError) {
    guard let account = challengedAccount, proof.answersBasic || context?.challenges.basics.cover(hop.url.path, account) == true else {
      return
    }
    proof.fields = [HTTPField(name: .authorization, value: try Self.basicAuthorization(user: account.user, password: account.password))]
    proof.sentBasic = true
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

  /// Returns the digest of the current request's content in hexadecimal.
  private func contentDigest(_ algorithm: DigestAlgorithm) throws(CryptoError) -> String {
    guard hop?.sendsBody == true else { return try Digest(of: EmptyCollection<UInt8>(), using: algorithm).hex }
    if let known = content.facts?.digests[algorithm] { return known }
    return try Digest(of: content.bytes ?? [], using: algorithm).hex
  }

  /// Returns a client nonce for a digest: 128 random bits in hexadecimal.
  private static func clientNonce() throws(CryptoError) -> String { Hex.encode(try SecureRandom.bytes(16)) }

  // MARK: Length and digest of the body

  /// Returns the ``PayloadPass`` that reads the body to compute the digests or the length of the body. Returns nil if no such pass is
  /// necessary.
  func missingPayload() throws(NetworkingError) -> PayloadPass? {
    guard let hop, hop.sendsBody, let reader = content.reader, request.credential != nil || request.compression != nil else { return nil }
    if let bodyBytes = content.bytes, bodyBytes.count <= Self.digestedInPlaceLimit { return nil }
    var algorithms: Set<DigestAlgorithm> = []
    if hop.isTrusted, hop.headerFields[.authorization] == nil {
      switch request.credential {
      case .aws(let key): if key.placement == .header, key.payload == .digest { algorithms.insert(.sha256) }
      case .digest, .challenged:
        if let account = challengedAccount, let context,
          let challenge = context.challenges.digests.challenge(for: hop.url.path, account, nonce: proof.pendingNonce),
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
      throw error(.bodyStream(detail: "its compressed length must be announced, and it can be read only once"))
    }
    return PayloadPass(body: request.body, compression: request.compression, algorithms: algorithms)
  }

  // MARK: Receiving

  /// The user and password for answering a Digest or Basic challenge; nil if the current request has no such credential or must not use it.
  var challengedAccount: ChallengedAccount? {
    // Few requests have such a credential, so check this first for each response.
    switch request.credential {
    case .digest(let user, let password), .challenged(let user, let password):
      guard let hop, hop.isTrusted, hop.headerFields[.authorization] == nil, let origin else { return nil }
      return ChallengedAccount(origin: origin, user: user, password: password)
    case .basic, .bearer, .negotiate, .ntlm, .aws, nil: return nil
    }
  }

  /// Checks the head of a response for a Digest or Basic challenge that can be answered. Returns true if the request must be sent again
  /// with an answer. Returns false if no answer is possible, so that the transfer must fail. Returns nil if there is no such challenge.
  func answersChallenge() -> Bool? {
    guard let account = challengedAccount, let hop, let context else { return nil }
    guard intake.head.status == 401 else {
      takeNextNonce(account, context)
      return nil
    }
    let challenges = AuthenticationChallenge.all(in: intake.head.fields)
    let decision = proof.digest.receive(challenges)
    if case .answer(let challenge) = decision {
      return sendAgain(hop) { () throws(CryptoError) in try answer(challenge, hop, account, context) }
    }
    if let use = proof.digestUse { context.challenges.digests.forget(nonce: use.challenge.nonce, account) }
    if case .challenged = request.credential, challenges.contains(where: { $0.isOf(scheme: "Basic") }) {
      if proof.sentBasic {
        context.challenges.basics.forget(account)
        return nil
      }
      return sendAgain(hop) {
        context.challenges.basics.learn(hop.url.path, account)
        proof.answersBasic = true
      }
    }
    guard case .refuse(let detail) = decision else { return nil }
    intake.failure = .authentication(.unsupportedChallenge(detail))
    return false
  }

  private func answer(
    _ challenge: DigestChallenge, _ hop: RedirectState, _ account: ChallengedAccount, _ context: LoopContext
  ) throws(CryptoError) {
    context.challenges.digests.learn(challenge, at: hop.url, account, clientNonce: try Self.clientNonce())
    proof.pendingNonce = challenge.nonce
  }

  /// Prepares to send the request again with an answer to a challenge. The closure `prepare` computes this answer. Returns false and
  /// records a failure if the body cannot be sent again, or if `prepare` throws an error.
  private func sendAgain(_ hop: RedirectState, prepare: () throws(CryptoError) -> Void) -> Bool {
    if hop.sendsBody, !content.rewind() {
      intake.failure = .authentication(.bodyNotRepeatable)
      return false
    }
    do {
      try prepare()
    } catch {
      intake.failure = .unsupported("no random bytes for an answer to a challenge")
      return false
    }
    intake.isAnswering = true
    return true
  }

  /// Stores the nonce that the server's response announces for the next request (`nextnonce`; RFC 7616, section 3.5).
  private func takeNextNonce(_ account: ChallengedAccount, _ context: LoopContext) {
    guard let use = proof.digestUse, let value = intake.head.fields[.authenticationInfo] else { return }
    var parser = ChallengeParser("Digest " + value)
    guard let next = parser.parse().first?["nextnonce"], !next.isEmpty, let clientNonce = try? Self.clientNonce() else { return }
    context.challenges.digests.replace(nonce: use.challenge.nonce, by: next, account, clientNonce: clientNonce)
  }

  /// Whether libcurl itself answers the challenge in this response, so that the head of another response may follow in the same libcurl
  /// transfer.
  var mayBeAnsweredByLibrary: Bool {
    (intake.head.status == 401 && proof.usesLibrary) || (intake.head.status == 407 && route.negotiatesWithProxy)
  }

  /// Whether the request should wait for the server's permission (`Expect: 100-continue`) before it sends its content. True if the server
  /// will probably refuse the request with a challenge, and the content is large or can be read only once.
  var wouldWasteBody: Bool {
    guard proof.digestUse == nil, !proof.sentBasic, let hop, hop.sendsBody, let reader = content.reader, challengedAccount != nil else {
      return false
    }
    return !reader.isRepeatable || (content.length ?? .max) > Self.wastedBodyLimit
  }
}

extension HTTPField.Name {
  /// The field `Authentication-Info` (RFC 9110, section 11.6.3). The literal is a valid token, so the fallback is
  /// never used.
  fileprivate static let authenticationInfo = HTTPField.Name("Authentication-Info") ?? .wwwAuthenticate
}

extension URLReference {
  /// The target in the request line: path and query.
  var target: String { query.map { "\(path)?\($0)" } ?? path }
}
