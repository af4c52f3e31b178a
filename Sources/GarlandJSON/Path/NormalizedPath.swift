import GarlandText

/// The location of a node in its document, as defined by [RFC 9535
/// §2.7](https://www.rfc-editor.org/rfc/rfc9535#section-2.7).
public struct NormalizedPath: Sendable, Hashable {
  /// The names and indexes that lead from the root to the node; indexes are never negative.
  public let elements: [JSONPathElement]

  /// Creates a location from names and indexes.
  public init(_ elements: [JSONPathElement]) {
    self.elements = elements
  }

  /// The location as a JSON Pointer.
  public var pointer: JSONPointer { JSONPointer(path: elements) }
}

extension NormalizedPath: CustomStringConvertible {
  /// The location as text, such as `$['store']['book'][0]`.
  public var description: String {
    var text = "$"
    for element in elements {
      switch element {
      case .index(let index): text += "[\(index)]"
      case .name(let name): text += "['\(NormalizedPath.escaped(name))']"
      }
    }
    return text
  }

  private static func escaped(_ name: String) -> String {
    var text = ""
    for scalar in name.unicodeScalars {
      switch scalar {
      case "'": text += "\\'"
      case "\\": text += "\\\\"
      case "\u{8}": text += "\\b"
      case "\t": text += "\\t"
      case "\n": text += "\\n"
      case "\u{C}": text += "\\f"
      case "\r": text += "\\r"
      case "\u{0}"..<"\u{20}": text += "\\u" + Hex.padded(scalar.value, to: 4)
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}

/// A value and its location in the document.
public struct JSONPathNode: Sendable, Hashable {
  /// The location of the value.
  public let location: NormalizedPath
  /// The JSON value of the node.
  public let value: JSONValue

  /// Creates a node from a location and its value.
  public init(location: NormalizedPath, value: JSONValue) {
    self.location = location
    self.value = value
  }
}
