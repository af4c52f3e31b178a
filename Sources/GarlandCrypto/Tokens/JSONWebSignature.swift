import GarlandJSON
import GarlandText

/// Signed bytes in the compact form `header.payload.signature` (RFC 7515).
///
/// ```swift
/// let token = try JSONWebSignature(signing: payload, algorithm: .rs256, key: key)
/// let received = try JSONWebSignature(token.compact)
/// try received.verify(with: keySet, accepting: [.rs256, .es256])
/// ```
public struct JSONWebSignature: Sendable {
  /// The protected header. Do not trust its values before one of the `verify` functions has succeeded.
  public let header: JSONObject
  /// The payload: the bytes that the signature protects.
  public let payload: [UInt8]
  /// The decoded signature of header and payload.
  let signature: [UInt8]
  /// The compact form `header.payload.signature` as text.
  let compact: String

  /// Parses the compact form. Does not check the signature.
  public init(_ compact: some StringProtocol) throws(TokenError) {
    let pieces = compact.split(separator: ".", omittingEmptySubsequences: false)
    guard pieces.count == 3 else { throw .malformed("it has \(pieces.count) part\(pieces.count == 1 ? "" : "s"), expected 3") }
    let headerBytes = try Self.bytes(pieces[0], "header")
    let value: JSONValue
    do throws(JSONParsingError) {
      value = try JSONValue(parsing: headerBytes, options: JSONParsingOptions(maximumDepth: 16, duplicateKeys: .error))
    } catch {
      throw .malformed("its header is not JSON (\(error.message))")
    }
    guard case .object(let header) = value else { throw .malformed("its header is not a JSON object") }
    self.header = header
    payload = try Self.bytes(pieces[1], "payload")
    signature = try Self.bytes(pieces[2], "signature")
    self.compact = String(compact)
  }

  /// Signs `payload`. The header contains `alg`, the key's `kid`, and the members of `header`.
  init(
    signing payload: [UInt8], algorithm: SignatureAlgorithm, key: JSONWebKey, header extra: JSONObject = [:]
  ) throws(TokenError) {
    var header: JSONObject = ["alg": .string(algorithm.rawValue)]
    if let keyID = key.keyID { header["kid"] = .string(keyID) }
    for (name, value) in extra where name != "alg" { header[name] = value }
    try self.init(signing: payload, headerBytes: JSONValue.object(header).jsonBytes(), header: header, algorithm: algorithm, key: key)
  }

  init(
    signing payload: [UInt8], headerBytes: [UInt8], header: JSONObject, algorithm: SignatureAlgorithm, key: JSONWebKey
  ) throws(TokenError) {
    let input = "\(Base64URL.encode(headerBytes)).\(Base64URL.encode(payload))"
    signature = try Self.sign(Array(input.utf8), algorithm, key)
    self.header = header
    self.payload = payload
    compact = "\(input).\(Base64URL.encode(signature))"
  }

  /// Returns the algorithm in the header. Throws for `none` and for unknown algorithms.
  public func algorithm() throws(TokenError) -> SignatureAlgorithm {
    guard let name = header["alg"]?.stringValue else { throw .malformed("its header names no algorithm") }
    guard let algorithm = SignatureAlgorithm(rawValue: name) else { throw .algorithmNotAccepted(name) }
    return algorithm
  }

  /// The identifier of the signing key (`kid`) according to the header, which may be forged.
  var keyID: String? { header["kid"]?.stringValue }

  /// Checks the signature with one key. A key ID in the header is ignored.
  public func verify(with key: JSONWebKey, accepting algorithms: Set<SignatureAlgorithm>) throws(TokenError) {
    try verify(with: JSONWebKeySet([key]), accepting: algorithms, byName: false)
  }

  /// Checks the signature with the keys that may be used for its algorithm. If the header contains a key ID, only the keys with this ID are
  /// used.
  ///
  /// The algorithm must be one of the accepted algorithms. The key must have a type for this algorithm, so that a public key cannot be used
  /// as a shared secret. A header with `crit` is refused, since no extension is supported.
  public func verify(with keys: JSONWebKeySet, accepting algorithms: Set<SignatureAlgorithm>) throws(TokenError) {
    try verify(with: keys, accepting: algorithms, byName: true)
  }

  private func verify(with keys: JSONWebKeySet, accepting algorithms: Set<SignatureAlgorithm>, byName: Bool) throws(TokenError) {
    let algorithm = try algorithm()
    guard algorithms.contains(algorithm) else { throw .algorithmNotAccepted(algorithm.rawValue) }
    guard header["crit"] == nil else { throw .malformed("its header has critical extensions that are not supported") }
    let candidates = keys.candidates(keyID: byName ? keyID : nil, algorithm: algorithm)
    guard !candidates.isEmpty else { throw .noKey(keyID: byName ? keyID : nil, algorithm: algorithm.rawValue) }
    let input = Array(compact.utf8.prefix(upTo: compact.utf8.lastIndex(of: 0x2E) ?? compact.utf8.endIndex))
    for key in candidates where try isValid(input, algorithm, key) { return }
    throw .wrongSignature
  }

  private func isValid(_ input: [UInt8], _ algorithm: SignatureAlgorithm, _ key: JSONWebKey) throws(TokenError) -> Bool {
    do throws(KeyError) {
      switch key.material {
      case .secret: return constantTimeEqual(try Self.code(input, algorithm, key), signature)
      case .publicKey(let open): return try Self.isValid(signature, input, algorithm, open)
      case .privateKey(let pair): return try Self.isValid(signature, input, algorithm, pair.publicKey)
      }
    } catch {
      throw .key(error)
    }
  }

  private static func isValid(
    _ signature: [UInt8], _ input: [UInt8], _ algorithm: SignatureAlgorithm, _ key: PublicKey
  ) throws(KeyError) -> Bool {
    guard let scheme = algorithm.scheme, algorithm.fits(key.type) else { throw .unfit(key: "\(key.type)", algorithm: algorithm.rawValue) }
    return try key.isValid(signature, for: input, using: scheme)
  }

  private static func sign(_ input: [UInt8], _ algorithm: SignatureAlgorithm, _ key: JSONWebKey) throws(TokenError) -> [UInt8] {
    do throws(KeyError) {
      switch key.material {
      case .secret: return try code(input, algorithm, key)
      case .publicKey(let open): throw KeyError.unfit(key: "\(open.type), public half only,", algorithm: algorithm.rawValue)
      case .privateKey(let pair):
        guard let scheme = algorithm.scheme, algorithm.fits(pair.type) else {
          throw KeyError.unfit(key: "\(pair.type)", algorithm: algorithm.rawValue)
        }
        return try pair.signature(of: input, using: scheme)
      }
    } catch {
      throw .key(error)
    }
  }

  private static func code(_ input: [UInt8], _ algorithm: SignatureAlgorithm, _ key: JSONWebKey) throws(KeyError) -> [UInt8] {
    guard case .secret(let secret) = key.material, let digest = algorithm.macDigest else {
      throw .unfit(key: "shared secret", algorithm: algorithm.rawValue)
    }
    do throws(CryptoError) {
      return try HMAC.authenticate(input, key: secret, using: digest).bytes
    } catch {
      throw .crypto(error)
    }
  }

  private static func bytes(_ text: some StringProtocol, _ name: String) throws(TokenError) -> [UInt8] {
    guard !text.utf8.contains(0x3D), let bytes = try? Base64URL.decode(text) else { throw .malformed("its \(name) is not base64url") }
    return bytes
  }
}
