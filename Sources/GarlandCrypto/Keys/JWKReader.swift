import COpenSSL
import GarlandJSON
import GarlandText

/// Converts the members of a JSON Web Key (RFC 7518 section 6, RFC 8037) to a key of OpenSSL or a
/// shared secret.
struct JWKReader {
  private let object: JSONObject

  init(_ object: JSONObject) { self.object = object }

  func material() throws(KeyError) -> JSONWebKey.Material {
    switch object["kty"]?.stringValue {
    case "oct": return .secret(try bytes("k", allowsEmpty: true))
    case "RSA": return try rsa()
    case "EC": return try ellipticCurve()
    case "OKP": return try edwards()
    case let type?: throw .unsupported("the key type \(type)")
    case nil: throw .malformed("kty is missing")
    }
  }

  private func rsa() throws(KeyError) -> JSONWebKey.Material {
    let parameters = try KeyParameters()
    try parameters.add("n", number: bytes("n"))
    try parameters.add("e", number: bytes("e"))
    guard object["oth"] == nil else { throw .unsupported("an RSA key of more than two primes") }
    guard object["d"] != nil else { return .publicKey(PublicKey(try parameters.makeKey("RSA", private: false))) }
    try parameters.add("d", number: bytes("d"))
    // A key has all of these factors or none (RFC 7518 section 6.3.2).
    let factors: [(StaticString, String)] = [
      ("rsa-factor1", "p"), ("rsa-factor2", "q"), ("rsa-exponent1", "dp"), ("rsa-exponent2", "dq"), ("rsa-coefficient1", "qi"),
    ]
    let present = factors.filter { object[$0.1] != nil }
    guard present.isEmpty || present.count == factors.count else {
      throw .malformed("p, q, dp, dq and qi must all be present or all be missing")
    }
    for (name, member) in present { try parameters.add(name, number: bytes(member)) }
    return .privateKey(PrivateKey(try parameters.makeKey("RSA", private: true)))
  }

  private func ellipticCurve() throws(KeyError) -> JSONWebKey.Material {
    guard let name = object["crv"]?.stringValue else { throw .malformed("crv is missing") }
    guard let curve = EllipticCurve(rawValue: name) else { throw .unsupported("the curve \(name)") }
    // Coordinates have the full width of the curve, zeros included (RFC 7518 section 6.2.1.2).
    let point = try [0x04] + coordinate("x", curve) + coordinate("y", curve)
    let secret = object["d"] == nil ? nil : try coordinate("d", curve)
    let outcome: Result<KeyHandle, KeyError> = curve.rawValue.withCString { group in
      point.withUnsafeBytes { point in
        Result { () throws(KeyError) in
          let parameters = try KeyParameters()
          try parameters.add("group", text: group)
          try parameters.add("pub", octets: point)
          if let secret { try parameters.add("priv", number: secret) }
          return try parameters.makeKey("EC", private: secret != nil)
        }
      }
    }
    let key = try outcome.get()
    return secret == nil ? .publicKey(PublicKey(key)) : .privateKey(PrivateKey(key))
  }

  private func edwards() throws(KeyError) -> JSONWebKey.Material {
    guard let name = object["crv"]?.stringValue else { throw .malformed("crv is missing") }
    guard name == "Ed25519" else { throw .unsupported("the curve \(name)") }
    let open = try bytes("x")
    guard open.count == 32 else { throw .malformed("x has to be 32 bytes") }
    guard object["d"] != nil else {
      guard let key = EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nil, open, open.count) else { throw .crypto(.fromQueue("Ed25519")) }
      return .publicKey(PublicKey(try KeyHandle(taking: key)))
    }
    let secret = try bytes("d")
    guard secret.count == 32 else { throw .malformed("d has to be 32 bytes") }
    guard let key = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nil, secret, secret.count) else {
      throw .crypto(.fromQueue("Ed25519"))
    }
    let handle = try KeyHandle(taking: key)
    guard try handle.raw(private: false) == open else { throw .malformed("its private and public numbers do not match") }
    return .privateKey(PrivateKey(handle))
  }

  private func coordinate(_ name: String, _ curve: EllipticCurve) throws(KeyError) -> [UInt8] {
    let value = try bytes(name)
    guard value.count == curve.coordinateByteCount else { throw .malformed("\(name) has to be \(curve.coordinateByteCount) bytes") }
    return value
  }

  private func bytes(_ name: String, allowsEmpty: Bool = false) throws(KeyError) -> [UInt8] {
    guard let text = object[name]?.stringValue else { throw .malformed("\(name) is missing") }
    // The text has no padding (RFC 7515 section 2).
    guard !text.utf8.contains(0x3D), let value = try? Base64URL.decode(text) else { throw .malformed("\(name) is not base64url") }
    guard allowsEmpty || !value.isEmpty else { throw .malformed("\(name) is empty") }
    return value
  }
}
