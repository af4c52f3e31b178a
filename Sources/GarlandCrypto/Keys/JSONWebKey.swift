import GarlandJSON

/// A key as JSON (RFC 7517): RSA, EC and Ed25519, public or private, and shared secrets.
///
/// ```swift
/// let key = try JSONWebKey(parsing: text)
/// let token = try JSONWebSignature(signing: payload, algorithm: .es256, key: key)
/// ```
public struct JSONWebKey: Sendable, CustomStringConvertible {
  /// The key itself, without its identifier and its restrictions: a shared secret, a public key or a private key.
  public enum Material: Sendable {
    /// A shared secret, of the key type (`kty`) `oct`.
    case secret([UInt8])
    /// The public key of a pair.
    case publicKey(PublicKey)
    /// The private key of a pair, from which the public key can be derived.
    case privateKey(PrivateKey)
  }

  /// The key itself: a secret, a public key or a private key.
  public var material: Material
  /// The identifier (`kid`) of the key among all keys of its owner.
  public var keyID: String?
  /// The only algorithm for which the key may be used (`alg`), by its registered name; nil for any.
  public var algorithm: String?
  /// The intended use (`use`): `sig` or `enc`.
  public var use: String?
  /// The permitted operations (`key_ops`), such as `sign` and `verify`; nil for all.
  public var operations: [String]?

  /// Creates a JSON Web Key from the key itself and its restrictions; nil means no restriction.
  public init(_ material: Material, keyID: String? = nil, algorithm: String? = nil, use: String? = nil) {
    self.material = material
    self.keyID = keyID
    self.algorithm = algorithm
    self.use = use
  }

  /// Parses the JSON text of a key. A duplicate name is an error.
  public init(parsing text: String) throws(KeyError) {
    let value: JSONValue
    do throws(JSONParsingError) {
      value = try JSONValue(parsing: text, options: JSONParsingOptions(maximumDepth: 16, duplicateKeys: .error))
    } catch {
      throw .malformed("it is not JSON (\(error.message))")
    }
    try self.init(value)
  }

  /// Parses a key. Unknown members are ignored, as RFC 7517 requires.
  public init(_ value: JSONValue) throws(KeyError) {
    guard case .object(let object) = value else { throw .malformed("a JSON Web Key is an object") }
    material = try JWKReader(object).material()
    keyID = try Self.text("kid", object)
    algorithm = try Self.text("alg", object)
    use = try Self.text("use", object)
    operations = object["key_ops"]?.arrayValue?.compactMap(\.stringValue)
  }

  /// The type of the key; nil for a shared secret.
  public var type: KeyType? {
    switch material {
    case .secret: nil
    case .publicKey(let key): key.type
    case .privateKey(let key): key.type
    }
  }

  /// The key without its private half; nil for a shared secret, which has no public half.
  public var publicKey: JSONWebKey? {
    switch material {
    case .secret: nil
    case .publicKey: self
    // The permitted operations of the public key differ from those of the private key, so they are unknown.
    case .privateKey(let key): JSONWebKey(.publicKey(key.publicKey), keyID: keyID, algorithm: algorithm, use: use)
    }
  }

  /// Returns the key as JSON, including the private half if the key has a private half. Do not publish the result for a private
  /// key; use the JSON of ``publicKey`` instead.
  public func json() throws(KeyError) -> JSONObject {
    var object = try JWKWriter.members(of: material)
    if let keyID { object["kid"] = .string(keyID) }
    if let algorithm { object["alg"] = .string(algorithm) }
    if let use { object["use"] = .string(use) }
    if let operations { object["key_ops"] = .array(operations.map { .string($0) }) }
    return object
  }

  /// Whether the key may be used for signatures with `algorithm`, according to its type, its `alg`, its `use` and its `key_ops`.
  public func fits(_ algorithm: SignatureAlgorithm) -> Bool {
    if let own = self.algorithm, own != algorithm.rawValue { return false }
    if let use, use != "sig" { return false }
    if let operations, !operations.contains("verify"), !operations.contains("sign") { return false }
    guard let type else { return algorithm.isSymmetric }
    return algorithm.fits(type)
  }

  /// The type and the identifier of the key, without the key itself.
  public var description: String {
    let kind = type.map { "\($0)" } ?? "shared secret"
    return keyID.map { "\(kind) key \"\($0)\"" } ?? "\(kind) key"
  }

  private static func text(_ name: String, _ object: JSONObject) throws(KeyError) -> String? {
    guard let value = object[name] else { return nil }
    guard let text = value.stringValue else { throw .malformed("\(name) has to be a string") }
    return text
  }
}
