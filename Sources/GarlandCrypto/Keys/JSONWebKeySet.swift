import GarlandJSON

/// The published keys of an issuer (RFC 7517 section 5).
public struct JSONWebKeySet: Sendable {
  /// The keys of the set. If the set was parsed, keys that this library does not support are missing.
  var keys: [JSONWebKey]

  /// Creates a set of keys.
  public init(_ keys: [JSONWebKey]) { self.keys = keys }

  /// Parses a set. Invalid keys and keys of an unknown type are ignored, as RFC 7517 requires.
  public init(_ value: JSONValue) throws(KeyError) {
    guard let list = value["keys"]?.arrayValue else { throw .malformed("a JSON Web Key Set is an object with a list \"keys\"") }
    keys = list.compactMap { try? JSONWebKey($0) }
  }

  /// Returns the keys with which a signature could be verified: all keys that may be used for `algorithm`. If `keyID` is not nil, only the
  /// keys with this ID are returned.
  func candidates(keyID: String?, algorithm: SignatureAlgorithm) -> [JSONWebKey] {
    keys.filter { key in
      if let keyID, key.keyID != keyID { return false }
      return key.fits(algorithm)
    }
  }

  /// Returns the set as JSON for publication. The result contains only public halves of keys, and no shared secrets.
  public func published() throws(KeyError) -> JSONValue {
    var list: [JSONValue] = []
    for key in keys {
      guard let open = key.publicKey else { continue }
      list.append(.object(try open.json()))
    }
    return ["keys": .array(list)]
  }
}
