import GarlandText

/// Recognises names of credentials, and values that look like credentials.
package enum CredentialName {
  private static let parts = [
    "password", "passwd", "passphrase", "secret", "apikey", "accesskey", "privatekey", "credential", "jwt", "authorization", "authtoken",
    "accesstoken", "sessionid",
  ]
  private static let whole: Set<String> = [
    "pwd", "pass", "pin", "otp", "sig", "signature", "auth", "sid", "session", "codeverifier", "clientassertion", "assertion",
    "samlresponse",
  ]

  /// Whether a header, parameter or member with the name `name` usually contains a credential.
  package static func isCredential(_ name: String) -> Bool {
    let letters = name.lowercased().utf8.filter(\.isLetterOrDigit)
    let word = String(decoding: letters, as: UTF8.self)
    return whole.contains(word) || word.hasSuffix("token") || parts.contains { word.contains($0) }
  }

  package static func isCredential(cookie: String) -> Bool {
    let name = cookie.lowercased()
    return isCredential(cookie) || ["sess", "token", "auth", "sid", "jwt"].contains { name.contains($0) }
  }

  /// The prefixes of the tokens of well-known services, such as GitHub. These services search for leaked tokens by the same prefixes.
  private static let tokenPrefixes = [
    "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "xoxb-", "xoxp-", "xoxa-", "xoxs-", "sk_live_", "rk_live_", "npm_",
    "AIza",
  ]

  /// Whether a text has the form of a JSON Web Token, or of a token of a well-known service. The name of the field that contains the text
  /// does not matter.
  package static func isToken(_ text: String) -> Bool {
    isJSONWebToken(text) || isServiceToken(text)
  }

  private static func isServiceToken(_ text: String) -> Bool {
    guard let prefix = tokenPrefixes.first(where: { text.hasPrefix($0) }), text.utf8.count >= prefix.utf8.count + 16 else { return false }
    return text.utf8.allSatisfy { byte in
      byte.isLetterOrDigit || byte == 0x2D || byte == 0x5F
    }
  }

  private static func isJSONWebToken(_ text: String) -> Bool {
    text.hasPrefix("eyJ") && text.utf8.count > 30
      && text.split(separator: ".", omittingEmptySubsequences: false).count >= 3
      && text.utf8.allSatisfy { byte in
        byte.isLetterOrDigit || [0x2B, 0x2D, 0x2E, 0x2F, 0x3D, 0x5F].contains(byte)
      }
  }

  /// Whether a text in natural language mentions a credential, such as a password.
  package static func isMentioned(in text: String) -> Bool {
    let text = text.lowercased()
    return ["password", "passwd", "secret", "api_key", "apikey", "token"].contains { text.contains($0) }
  }
}
