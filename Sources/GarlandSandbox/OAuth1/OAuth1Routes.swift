import GarlandJSON

/// The route of a protected resource, whose clients must sign their requests by OAuth 1.0a.
enum OAuth1Routes {
  static let routes = [
    Route(
      "*", "/oauth1/protected",
      "Wants a signature by OAuth 1.0a: consumer/consumer-secret, token/token-secret; HMAC-SHA1, HMAC-SHA256, RSA-SHA1 or PLAINTEXT",
      stateful: protected)
  ]

  static let protected: Route.StatefulHandler = { (request, tenant) throws(Refusal) in
    do throws(OAuth1Request.Problem) {
      let signed = try OAuth1Request(request)
      try signed.check(now: tenant.date)
      // RFC 5849, section 3.3: a nonce can be used only once with the same timestamp.
      if let nonce = signed["oauth_nonce"], let time = signed["oauth_timestamp"] {
        guard tenant.provider.useUp(assertion: "oauth1 \(time) \(nonce)") else { throw OAuth1Request.Problem("the nonce was used before") }
      }
      return .json([
        "authorized": true, "user": .string(OAuth1Client.user), "method": .string(signed["oauth_signature_method"] ?? ""),
        "realm": JSONValue(signed["realm"]),
      ])
    } catch {
      throw Refusal(error.status, error.words, headers: [HeaderField("WWW-Authenticate", "OAuth realm=\"sandbox\"")])
    }
  }
}
