import FoundationEssentials
import GarlandJSON

/// What values can be decoded from.
protocol DecodableTree: Sendable {
  /// What stands for a value that is not there.
  static var absent: Self { get }
  var isNull: Bool { get }
  var bool: Bool? { get }
  var number: JSONNumber? { get }
  var string: String? { get }
  /// A date, where the format has them.
  var date: Date? { get }
  /// Bytes, where the format has them.
  var data: [UInt8]? { get }
  var elements: [Self]? { get }
  var isObject: Bool { get }
  /// The members' names in order, none if it is no object.
  var names: [String] { get }
  func member(_ name: String) -> Self?
  /// What it is, for messages.
  var kindName: String { get }
  /// The tree as a value itself, for types that hold any value.
  var structured: StructuredValue { get }
  var json: JSONValue { get }
}
