import FoundationEssentials
import GarlandJSON

/// A tree of JSON or property list values, from which `Decodable` types are decoded.
protocol DecodableTree: Sendable {
  /// The value that is decoded for a missing member.
  static var absent: Self { get }
  var isNull: Bool { get }
  var bool: Bool? { get }
  var number: JSONNumber? { get }
  var string: String? { get }
  /// The node as a date; nil if the node is not a date or the format has no dates.
  var date: Date? { get }
  /// The node as bytes; nil if the node has no bytes or the format has no type for bytes.
  var data: [UInt8]? { get }
  var elements: [Self]? { get }
  var isObject: Bool { get }
  /// The member names in order; empty if the value is not an object.
  var names: [String] { get }
  func member(_ name: String) -> Self?
  /// The kind of value, such as text or number, for error messages.
  var kindName: String { get }
  /// The whole tree as a ``StructuredValue``, for types that can contain any kind of value.
  var structured: StructuredValue { get }
  var json: JSONValue { get }
}
