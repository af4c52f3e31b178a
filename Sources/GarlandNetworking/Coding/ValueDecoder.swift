import FoundationEssentials
import GarlandJSON

/// Decodes values of `Decodable` types from JSON or property lists.
///
/// ```swift
/// struct Book: Decodable { var title: String; var published: Date }
/// let decoder = ValueDecoder(keys: .snakeCase, dates: .iso8601)
/// let book = try decoder.decode(Book.self, from: JSONValue(parsing: text))
/// ```
/// Numbers are exact: for an integer type, a number with a fraction and a number that is too large for the type are errors. `1.0` counts as
/// an integer.
public struct ValueDecoder: Sendable {
  /// The rules by which a coding key of a type can match a member name in the decoded data.
  public enum Keys: Sendable {
    /// A key of the Swift type matches the member with the same name.
    case unchanged
    /// A key `oneTwo` matches the member `one_two`.
    case snakeCase
    /// The closure converts a member name to a key.
    case custom(@Sendable (String) -> String)

    /// Returns a dictionary that maps each key to the member name from which it was converted, for example `oneTwo` to `one_two`. Returns
    /// nil for ``unchanged``, which converts no names.
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

    /// Converts `_one_two_` to `_oneTwo_`.
    private static func camelCase(_ name: String) -> String {
      guard let first = name.firstIndex(where: { $0 != "_" }), let last = name.lastIndex(where: { $0 != "_" }) else { return name }
      let words = name[first...last].split(separator: "_")
      guard words.count > 1 else { return name }
      let joined = words[0].lowercased() + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst().lowercased() }.joined()
      return String(name[..<first]) + joined + name[name.index(after: last)...]
    }
  }

  /// The forms of dates in formats that have no date type.
  public enum Dates: Sendable {
    /// Seconds since 2001, the form that the type `Date` itself uses.
    case deferred
    /// Seconds since 1970.
    case secondsSince1970
    /// Milliseconds since 1970.
    case millisecondsSince1970
    /// `2026-11-21T05:00:00Z` (RFC 3339), with or without fractions of a second.
    case iso8601
    /// The closure converts a text to a date; if it returns nil, decoding fails.
    case formatted(@Sendable (String) -> Date?)
  }

  /// The representations of bytes in the decoded data, for formats such as JSON that have no type for bytes.
  public enum DataDecoding: Sendable {
    /// Base64.
    case base64
    /// A list of numbers: the form in which `Data` and byte arrays decode themselves.
    case deferred
    /// The closure converts a text to bytes; if it returns nil, decoding fails.
    case custom(@Sendable (String) -> [UInt8]?)
  }

  /// The rule by which coding keys of types match the member names in the decoded data.
  public var keys: Keys
  /// The form in which dates are written.
  public var dates: Dates
  /// The form in which the decoded data contains bytes, such as base64.
  public var data: DataDecoding
  /// The `userInfo` of the decoder that `init(from:)` receives.
  public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

  /// Creates a decoder. The defaults are the same as in Foundation's `JSONDecoder`.
  public init(keys: Keys = .unchanged, dates: Dates = .deferred, data: DataDecoding = .base64) {
    self.keys = keys
    self.dates = dates
    self.data = data
  }

  /// Decodes a value. Throws ``NetworkingError/Serialization/decoding(path:detail:)`` if the value does not match the type. An error that
  /// the type's own `init(from:)` throws becomes ``NetworkingError/Serialization/custom(_:)``.
  public func decode<Value: Decodable>(_ type: Value.Type, from value: JSONValue) throws(NetworkingError.Serialization) -> Value {
    try decode(type, tree: value)
  }

  /// Decodes a value of the given type from a structured value.
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

extension DecodingError {
  /// The decoding error as an error of this library.
  var serialization: NetworkingError.Serialization {
    switch self {
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context), .keyNotFound(_, let context):
      return .decoding(path: context.codingPath.text, detail: context.debugDescription)
    @unknown default: return .decoding(path: "", detail: "\(self)")
    }
  }
}
