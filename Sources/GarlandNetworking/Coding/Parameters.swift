import FoundationEssentials
import GarlandJSON
import OrderedCollections

/// The parameters of a request, made of values of mixed types.
///
/// ```swift
/// session.request(url, method: .post, parameters: ["name": name, "id": 7, "tags": tags, "nickname": nickname], encoding: .json)
/// ```
/// The members of a literal keep their order, and the last value of a repeated name wins. Nested
/// dictionaries have no order and are sorted by name.
///
/// A value is text, a number, a Boolean, a date, data, a URL, a decimal number, any `Encodable`
/// value, or an array or dictionary of these. The objects of `JSONSerialization`, such as `NSNumber`
/// and `NSNull`, are sent like Swift's values. Nil is null: JSON writes `null`, and
/// ``URLEncodedParameters/nulls`` decides how a form writes it. A value of any other type fails the
/// request with ``ParameterEncodingError/notEncodable(path:type:)`` when it is sent.
public struct Parameters: Sendable, Encodable, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral {
  /// The values, or the error of a value that cannot be sent.
  private(set) var values: Result<StructuredValue, ParameterEncodingError>

  /// Creates parameters in the order of a literal.
  public init(dictionaryLiteral elements: (String, Any?)...) { self.init(elements) }

  /// Creates empty parameters, for which neither a query nor a body is written.
  public init(nilLiteral: ()) { values = .success(.null) }

  /// Creates parameters from a dictionary, sorted by name.
  public init(_ dictionary: [String: Any]) { self.init(dictionary.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }) }

  /// The value of the parameter called `name`; nil if there is no such parameter. Setting nil removes the parameter.
  ///
  /// ```swift
  /// var parameters: Parameters = ["name": name]
  /// if let nickname { parameters["nickname"] = nickname }
  /// ```
  public subscript(name: String) -> Any? {
    get { if case .success(.object(let members)) = values { members[name] } else { nil } }
    set {
      values = values.flatMap { current in
        Result { () throws(ParameterEncodingError) in
          var members: OrderedDictionary<String, StructuredValue> = if case .object(let members) = current { members } else { [:] }
          members[name] = try newValue.map { value throws(ParameterEncodingError) in try Self.structured(value, at: name, depth: 0) }
          return .object(members)
        }
      }
    }
  }

  private init(_ elements: [(String, Any?)]) {
    values = Result { () throws(ParameterEncodingError) in
      var members = OrderedDictionary<String, StructuredValue>()
      for (name, value) in elements { members[name] = try Self.structured(value as Any, at: name, depth: 0) }
      return .object(members)
    }
  }

  /// Writes the parameters in their order.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(values.get())
  }

  private static let depthLimit = 512

  private static func structured(_ value: Any, at path: String, depth: Int) throws(ParameterEncodingError) -> StructuredValue {
    guard depth < depthLimit else { throw .tooDeep(limit: depthLimit) }
    switch value {
    case let value as any OptionalValue:
      guard let wrapped = value.wrapped else { return .null }
      return try structured(wrapped, at: path, depth: depth + 1)
    // This case comes before `Encodable`: an array or dictionary of known types may hold nil, which the `encode(to:)` of that array or
    // dictionary would omit.
    case let values as [String: Any]:
      var members = OrderedDictionary<String, StructuredValue>()
      for (name, value) in values.sorted(by: { $0.key < $1.key }) {
        members[name] = try structured(value, at: "\(path).\(name)", depth: depth + 1)
      }
      return .object(members)
    case let values as [Any]:
      var elements: [StructuredValue] = []
      for (index, value) in values.enumerated() { elements.append(try structured(value, at: "\(path)[\(index)]", depth: depth + 1)) }
      return .array(elements)
    case let value as any Encodable:
      do throws(ParameterEncodingError) {
        return try StructuredEncoder().encode(value)
      } catch .notFinite(let inner) {
        throw .notFinite(path: inner.isEmpty ? path : inner.hasPrefix("[") ? path + inner : "\(path).\(inner)")
      }
    default:
      if let bridged = try bridged(value, at: path) { return bridged }
      throw .notEncodable(path: path, type: "\(type(of: value))")
    }
  }

  /// Converts an object of Foundation, such as a number in a dictionary of `JSONSerialization`. Returns nil for any other value.
  ///
  /// The library does not link Foundation: it recognises the objects for numbers and null by the names of their classes.
  private static func bridged(_ value: Any, at path: String) throws(ParameterEncodingError) -> StructuredValue? {
    switch "\(type(of: value))" {
    case "NSNull": return .null
    case "__NSCFBoolean": return (value as? Bool).map { .bool($0) }
    case "NSNumber", "NSDecimalNumber":
      guard let number = JSONNumber("\(value)") else { throw .notFinite(path: path) }
      return .number(number)
    default: break
    }
    switch value {
    case let text as String: return .string(text)
    case let date as Date: return .date(date)
    case let bytes as Data: return .data(Array(bytes))
    case let url as URL: return .string(url.absoluteString)
    default: return nil
    }
  }
}

/// An `Optional` whose wrapped type is unknown at compile time.
private protocol OptionalValue {
  var wrapped: Any? { get }
}

extension Optional: OptionalValue {
  fileprivate var wrapped: Any? { self }
}

extension ParameterEncoding {
  /// Writes parameters of mixed types into a request, for example in a ``URLRequestConvertible``.
  @_disfavoredOverload
  public func encode(_ parameters: Parameters, into request: inout TransferRequest) throws(ParameterEncodingError) {
    try encode(try parameters.values.get(), into: &request)
  }
}
