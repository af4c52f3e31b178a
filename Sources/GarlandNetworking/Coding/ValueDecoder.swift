import FoundationEssentials
import GarlandJSON

/// Makes values of `Decodable` types out of JSON or property lists.
///
/// ```swift
/// struct Book: Decodable { var title: String; var published: Date }
/// let decoder = ValueDecoder(keys: .snakeCase, dates: .iso8601)
/// let book = try decoder.decode(Book.self, from: JSONValue(parsing: text))
/// ```
/// Numbers are exact: an integer that does not fit its type, or has a fraction, is an error. `1.0` is an integer.
public struct ValueDecoder: Sendable {
  /// How keys of types find their members.
  public enum Keys: Sendable {
    /// By the same name.
    case unchanged
    /// A key `oneTwo` finds `one_two`.
    case snakeCase
    /// As the closure says, which is given a member's name and returns a key's.
    case custom(@Sendable (String) -> String)

    /// Members' names by keys'; nil if they are the same.
    func table(_ names: [String]) -> [String: String]? {
      let convert: (String) -> String
      switch self {
      case .unchanged: return nil
      case .snakeCase: convert = Self.camelCase
      case .custom(let closure): convert = closure
      }
      var table: [String: String] = [:]
      for name in names where table[convert(name)] == nil { table[convert(name)] = name }
      return table
    }

    /// `_one_two_` → `_oneTwo_`.
    private static func camelCase(_ name: String) -> String {
      guard let first = name.firstIndex(where: { $0 != "_" }), let last = name.lastIndex(where: { $0 != "_" }) else { return name }
      let words = name[first...last].split(separator: "_")
      guard words.count > 1 else { return name }
      let joined = words[0].lowercased() + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst().lowercased() }.joined()
      return String(name[..<first]) + joined + name[name.index(after: last)...]
    }
  }

  /// How dates are read where the format has none of its own.
  public enum Dates: Sendable {
    /// As the type itself does it: the seconds since 2001.
    case deferred
    /// Seconds since 1970.
    case secondsSince1970
    /// Milliseconds since 1970.
    case millisecondsSince1970
    /// `2026-11-21T05:00:00Z` (RFC 3339), with a fraction or without.
    case iso8601
    /// As a closure says; nil is an error.
    case formatted(@Sendable (String) -> Date?)
  }

  /// How bytes are read where the format has no place for them.
  public enum DataDecoding: Sendable {
    /// From base64.
    case base64
    /// From a list of numbers.
    case deferred
    /// As a closure says; nil is an error.
    case custom(@Sendable (String) -> [UInt8]?)
  }

  /// How keys find their members.
  public var keys: Keys
  /// How dates are read.
  public var dates: Dates
  /// How bytes are read.
  public var data: DataDecoding
  /// What types find in their decoder's `userInfo`.
  public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

  /// A decoder; by default as Foundation's.
  public init(keys: Keys = .unchanged, dates: Dates = .deferred, data: DataDecoding = .base64) {
    self.keys = keys
    self.dates = dates
    self.data = data
  }

  /// The value. Throws ``NetworkingError/Serialization/decoding(path:detail:)``, or what the type itself throws as
  /// ``NetworkingError/Serialization/custom(_:)``.
  public func decode<Value: Decodable>(_ type: Value.Type, from value: JSONValue) throws(NetworkingError.Serialization) -> Value {
    try decode(type, tree: value)
  }

  /// The value.
  public func decode<Value: Decodable>(_ type: Value.Type, from value: StructuredValue) throws(NetworkingError.Serialization) -> Value {
    try decode(type, tree: value)
  }

  private func decode<Value: Decodable, Tree: DecodableTree>(
    _ type: Value.Type, tree: Tree
  ) throws(NetworkingError.Serialization) -> Value {
    do {
      return try TreeDecoder(tree: tree, parent: nil, key: nil, options: self).value(type)
    } catch let error as DecodingError {
      throw error.serialization
    } catch let error as NetworkingError.Serialization {
      throw error
    } catch {
      throw .custom(.init(error))
    }
  }
}
