import GarlandJSON

/// The published keys of an issuer (RFC 7517 section 5).
public struct JSONWebKeySet: Sendable {
  /// The keys that Garland can use.
  public var keys: [JSONWebKey]

  /// Creates a set of these keys.
  public init(_ keys: [JSONWebKey]) { self.keys = keys }

  /// Reads a set. Invalid keys and keys of an unknown kind are left out, as the RFC requires.
  public init(_ value: JSONValue) throws(KeyError) {
    guard let list = value["keys"]?.arrayValue else { throw .malformed("a JSON Web Key Set is an object with a list \"keys\"") }
    keys = list.compactMap { try? JSONWebKey($0) }
  }

  /// Returns the keys that may have made a signature: those that fit its algorithm and, if it names
  /// a key, have that name.
  public func candidates(keyID: String?, algorithm: SignatureAlgorithm) -> [JSONWebKey] {
    keys.filter { key in
      if let keyID, key.keyID != keyID { return false }
      return key.fits(algorithm)
    }
  }

  /// Returns the set for publication: public halves only, no shared secrets.
  public func published() throws(KeyError) -> JSONValue {
    var list: [JSONValue] = []
    for key in keys {
      guard let open = key.publicKey else { continue }
      list.append(.object(try open.json()))
    }
    return ["keys": .array(list)]
  }
}
