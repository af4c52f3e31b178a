import GarlandCrypto
import GarlandJSON

/// The keys with which the provider signs tokens. They are created when first needed, and shared by
/// all sandboxes of the process.
enum ProviderKeys {
  static let algorithms = ["RS256", "PS256", "ES256", "EdDSA"]

  private static let keys: Result<[JSONWebKey], KeyError> = Result { () throws(KeyError) in
    [
      JSONWebKey(.privateKey(try .generate(.rsa(bits: 2048))), keyID: "rsa", use: "sig"),
      JSONWebKey(.privateKey(try .generate(.ellipticCurve(.p256))), keyID: "ec", algorithm: "ES256", use: "sig"),
      JSONWebKey(.privateKey(try .generate(.ed25519)), keyID: "ed", algorithm: "EdDSA", use: "sig"),
    ]
  }

  /// A key that the provider does not publish, with which it signs forged tokens for tests.
  private static let stranger: Result<JSONWebKey, KeyError> = Result { () throws(KeyError) in
    JSONWebKey(.privateKey(try .generate(.ellipticCurve(.p256))), keyID: "ec")
  }

  static func published() throws(KeyError) -> JSONValue { try JSONWebKeySet(keys.get()).published() }

  static func sign(_ claims: JSONObject, _ name: String, forged: Bool) throws(TokenError) -> String {
    do throws(KeyError) {
      if forged { return try token(claims, .es256, stranger.get()) }
      guard let algorithm = SignatureAlgorithm(rawValue: name), let key = try keys.get().first(where: { $0.fits(algorithm) }) else {
        throw KeyError.unsupported("the algorithm \(name)")
      }
      return try token(claims, algorithm, key)
    } catch {
      throw .key(error)
    }
  }

  private static func token(_ claims: JSONObject, _ algorithm: SignatureAlgorithm, _ key: JSONWebKey) throws(KeyError) -> String {
    do throws(TokenError) {
      return try JSONWebToken(signing: claims, algorithm: algorithm, key: key).compact
    } catch {
      throw .malformed("\(error)")
    }
  }
}
