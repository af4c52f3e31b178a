import GarlandJSON

/// A key as JSON (RFC 7517): RSA, EC and Ed25519, public or private, and shared secrets.
///
/// ```swift
/// let key = try JSONWebKey(parsing: text)
/// let token = try JSONWebSignature(signing: payload, algorithm: .es256, key: key)
/// ```
public struct JSONWebKey: Sendable, CustomStringConvertible {
  /// What the key consists of.
  public enum Material: Sendable {
    /// A shared secret, `kty` `oct`.
    case secret([UInt8])
    /// The public half of a pair.
    case publicKey(PublicKey)
    /// Both halves.
    case privateKey(PrivateKey)
  }

  /// The key itself.
  public var material: Material
  /// `kid`: which key of its owner this is.
  public var keyID: String?
  /// `alg`: the only algorithm that it is meant for, under its registered name.
  public var algorithm: String?
  /// `use`: `sig` or `enc`.
  public var use: String?
  /// `key_ops`: what it may be used for, `sign` and `verify` among others; nil for anything.
  public var operations: [String]?

  /// A key from its parts.
  public init(_ material: Material, keyID: String? = nil, algorithm: String? = nil, use: String? = nil) {
    self.material = material
    self.keyID = keyID
    self.algorithm = algorithm
    self.use = use
  }

  /// Reads the text of a key. A name that stands twice is an error.
  public init(parsing text: String) throws(KeyError) {
    let value: JSONValue
    do throws(JSONParsingError) {
      value = try JSONValue(parsing: text, options: JSONParsingOptions(maximumDepth: 16, duplicateKeys: .error))
    } catch {
      throw .malformed("it is not JSON (\(error.message))")
    }
    try self.init(value)
  }

  /// Reads a key. Members that are not known are ignored, as the RFC wants it.
  public init(_ value: JSONValue) throws(KeyError) {
    guard case .object(let object) = value else { throw .malformed("a JSON Web Key is an object") }
    material = try JWKReader(object).material()
    keyID = try Self.text("kid", object)
    algorithm = try Self.text("alg", object)
    use = try Self.text("use", object)
    operations = object["key_ops"]?.arrayValue?.compactMap(\.stringValue)
  }

  /// The kind of key, or nil for a shared secret.
  public var type: KeyType? {
    switch material {
    case .secret: nil
    case .publicKey(let key): key.type
    case .privateKey(let key): key.type
    }
  }

  /// The same key without its private half; nil for a shared secret, which has no public one.
  public var publicKey: JSONWebKey? {
    switch material {
    case .secret: nil
    case .publicKey: self
    // The other half does the other thing: its operations are not known.
    case .privateKey(let key): JSONWebKey(.publicKey(key.publicKey), keyID: keyID, algorithm: algorithm, use: use)
    }
  }

  /// The key as JSON, the private half included if it has one: publish ``publicKey``, never this one of a private key.
  public func json() throws(KeyError) -> JSONObject {
    var object = try JWKWriter.members(of: material)
    if let keyID { object["kid"] = .string(keyID) }
    if let algorithm { object["alg"] = .string(algorithm) }
    if let use { object["use"] = .string(use) }
    if let operations { object["key_ops"] = .array(operations.map { .string($0) }) }
    return object
  }

  /// The SHA-256 thumbprint in base64url (RFC 7638): the same for all ways to write the key, and for both halves of a pair.
  public func thumbprint() throws(KeyError) -> String {
    let members = try JWKWriter.members(of: publicKey?.material ?? material).sortedByKey()
    do throws(CryptoError) {
      return Base64URL.encode(try Digest(of: JSONValue.object(members).jsonBytes(), using: .sha256).bytes)
    } catch {
      throw .crypto(error)
    }
  }

  /// Whether a signature by this algorithm could be of this key, by its type, its `alg`, its `use` and its `key_ops`.
  public func fits(_ algorithm: SignatureAlgorithm) -> Bool {
    if let own = self.algorithm, own != algorithm.rawValue { return false }
    if let use, use != "sig" { return false }
    if let operations, !operations.contains("verify"), !operations.contains("sign") { return false }
    guard let type else { return algorithm.isSymmetric }
    return algorithm.fits(type)
  }

  /// The kind of key and its name, and nothing of the key itself.
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
