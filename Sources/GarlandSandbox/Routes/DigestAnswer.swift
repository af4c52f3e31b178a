import GarlandCrypto

/// The `Authorization` field of digest authentication (RFC 7616, section 3.4). The challenge is always the same, so an eavesdropper could
/// send the same field again, which does no harm in a sandbox.
struct DigestAnswer {
  private static let nonce = "c2FuZGJveA"
  private static let realm = "sandbox"
  static let challenge = "Digest realm=\"\(realm)\", qop=\"auth\", algorithm=SHA-256, nonce=\"\(nonce)\", charset=UTF-8"

  private var fields: [String: String] = [:]

  /// Parses `name=value` and `name="value"` pairs, separated by commas.
  init(_ text: String) {
    var rest = Array(text.utf8)[...]
    func skip(_ bytes: String) { rest = rest.drop { bytes.utf8.contains($0) } }
    while !rest.isEmpty {
      skip(" ,\t")
      let name = rest.prefix { $0 != UInt8(ascii: "=") }
      rest = rest.dropFirst(name.count + 1)
      var value: [UInt8] = []
      if rest.first == UInt8(ascii: "\"") {
        rest = rest.dropFirst()
        while let byte = rest.first, byte != UInt8(ascii: "\"") {
          if byte == UInt8(ascii: "\\") { rest = rest.dropFirst() }
          if let kept = rest.first { value.append(kept) }
          rest = rest.dropFirst()
        }
        rest = rest.dropFirst()
      } else {
        value = Array(rest.prefix { $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: " ") })
        rest = rest.dropFirst(value.count)
      }
      fields[String(decoding: name, as: UTF8.self).asciiLowercased] = String(decoding: value, as: UTF8.self)
    }
  }

  /// Whether the credentials were computed with the correct password.
  func isRight(method: String, target: String, user: String, password: String) -> Bool {
    guard fields["username"] == user, fields["realm"] == Self.realm, fields["nonce"] == Self.nonce, fields["uri"] == target,
      fields["qop"] == "auth", fields["algorithm"] == "SHA-256", let count = fields["nc"], let own = fields["cnonce"], !own.isEmpty,
      let answer = fields["response"], let secret = Self.hash("\(user):\(Self.realm):\(password)"),
      let request = Self.hash("\(method):\(target)"),
      let wanted = Self.hash("\(secret):\(Self.nonce):\(count):\(own):auth:\(request)")
    else { return false }
    return constantTimeEqual(answer.utf8, wanted.utf8)
  }

  private static func hash(_ text: String) -> String? { (try? Digest(of: text.utf8, using: .sha256))?.hex }
}
