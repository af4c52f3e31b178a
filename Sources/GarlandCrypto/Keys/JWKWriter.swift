import COpenSSL
import GarlandJSON
import GarlandText

/// Writes a key as members of a JSON Web Key: the members from which the thumbprint (digest) of the key is computed. For a private key,
/// also writes the private members.
enum JWKWriter {
  static func members(of material: JSONWebKey.Material) throws(KeyError) -> JSONObject {
    switch material {
    case .secret(let bytes): ["kty": "oct", "k": .string(Base64URL.encode(bytes))]
    case .publicKey(let key): try members(of: key.handle, private: false)
    case .privateKey(let key): try members(of: key.handle, private: true)
    }
  }

  private static func members(of key: KeyHandle, private isPrivate: Bool) throws(KeyError) -> JSONObject {
    var object: JSONObject
    switch key.type {
    case .rsa:
      object = ["kty": "RSA", "n": try number(key, "n"), "e": try number(key, "e")]
      guard isPrivate else { break }
      object["d"] = try number(key, "d")
      // A key may lack its primes.
      guard let first = try? number(key, "rsa-factor1") else { break }
      object["p"] = first
      object["q"] = try number(key, "rsa-factor2")
      object["dp"] = try number(key, "rsa-exponent1")
      object["dq"] = try number(key, "rsa-exponent2")
      object["qi"] = try number(key, "rsa-coefficient1")
    case .ellipticCurve(let curve):
      let width = curve.coordinateByteCount
      object = [
        "kty": "EC", "crv": .string(curve.rawValue), "x": try number(key, "qx", width: width), "y": try number(key, "qy", width: width),
      ]
      if isPrivate { object["d"] = try number(key, "priv", width: width) }
    case .ed25519:
      object = ["kty": "OKP", "crv": "Ed25519", "x": .string(Base64URL.encode(try key.raw(private: false)))]
      if isPrivate { object["d"] = .string(Base64URL.encode(try key.raw(private: true))) }
    }
    return object
  }

  private static func number(_ key: KeyHandle, _ name: String, width: Int? = nil) throws(KeyError) -> JSONValue {
    .string(Base64URL.encode(try key.number(name, width: width)))
  }
}
