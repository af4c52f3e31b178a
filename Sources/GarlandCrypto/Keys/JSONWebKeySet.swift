import GarlandJSON

/// The keys that somebody has published (RFC 7517 section 5).
public struct JSONWebKeySet: Sendable {
  /// Those that can be used here.
  public var keys: [JSONWebKey]

  /// A set of these keys.
  public init(_ keys: [JSONWebKey]) { self.keys = keys }

  /// Reads a set. Keys of a kind that is not known, or that are not valid, are left out, as the RFC wants it.
  public init(_ value: JSONValue) throws(KeyError) {
    guard let list = value["keys"]?.arrayValue else { throw .malformed("a JSON Web Key Set is an object with a list \"keys\"") }
    keys = list.compactMap { try? JSONWebKey($0) }
  }

  /// The keys that may have made a signature: those of that name if it has one, and that fit its algorithm.
  public func candidates(keyID: String?, algorithm: SignatureAlgorithm) -> [JSONWebKey] {
    keys.filter { key in
      if let keyID, key.keyID != keyID { return false }
      return key.fits(algorithm)
    }
  }

  /// The set as it is published: public halves only, no shared secrets.
  public func published() throws(KeyError) -> JSONValue {
    var list: [JSONValue] = []
    for key in keys {
      guard let open = key.publicKey else { continue }
      list.append(.object(try open.json()))
    }
    return ["keys": .array(list)]
  }
}
