import GarlandText

/// A JSON Pointer ([RFC 6901](https://www.rfc-editor.org/rfc/rfc6901)).
///
/// ```swift
/// let pointer = try JSONPointer("/books/0/title")
/// let title = try pointer.value(in: document)
/// ```
public struct JSONPointer: Sendable {
  /// The member names and array indexes, with `~0` and `~1` decoded.
  public let tokens: [String]

  /// A pointer to the whole document.
  public static let root = JSONPointer(tokens: [])

  /// Creates a pointer from its tokens.
  public init(tokens: [String]) {
    self.tokens = tokens
  }

  /// Creates a pointer from a path of names and indexes.
  public init(path: [JSONPathElement]) {
    tokens = path.map { element in
      switch element {
      case .name(let name): name
      case .index(let index): String(index)
      }
    }
  }

  /// Parses the string form: an empty text, or tokens that each begin with a slash.
  public init(_ text: String) throws(JSONPointerError) {
    guard let first = text.utf8.first else {
      tokens = []
      return
    }
    guard first == UInt8(ascii: "/") else {
      let suggestion = first == UInt8(ascii: "$") ? "'$' begins a JSONPath, not a pointer" : "write '/\(text)'"
      throw JSONPointerError(text: text, offset: 0, message: "a JSON Pointer must begin with '/', or be empty", suggestion: suggestion)
    }
    let bytes = Array(text.utf8)
    var tokens: [String] = []
    var token: [UInt8] = []
    var position = 1
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "/"):
        tokens.append(String(decoding: token, as: UTF8.self))
        token = []
      case UInt8(ascii: "~"):
        switch position + 1 < bytes.count ? bytes[position + 1] : 0 {
        case UInt8(ascii: "0"): token.append(UInt8(ascii: "~"))
        case UInt8(ascii: "1"): token.append(UInt8(ascii: "/"))
        default:
          throw JSONPointerError(
            text: text, offset: position, message: "'~' is followed by 0 or 1", suggestion: "'~' itself is written '~0'")
        }
        position += 1
      case let byte: token.append(byte)
      }
      position += 1
    }
    tokens.append(String(decoding: token, as: UTF8.self))
    self.tokens = tokens
  }

  /// Parses the URI fragment form of a pointer, without the `#` ([RFC 6901
  /// §6](https://www.rfc-editor.org/rfc/rfc6901#section-6)).
  public init(uriFragment fragment: String) throws(JSONPointerError) {
    guard let decoded = PercentEncoding.strictText(decoding: fragment) else {
      let offset = fragment.utf8.firstIndex(of: UInt8(ascii: "%")).map { fragment.utf8.distance(from: fragment.startIndex, to: $0) }
      throw JSONPointerError(text: fragment, offset: offset ?? 0, message: "the percent-encoding is not well-formed", suggestion: nil)
    }
    try self.init(decoded)
  }

  /// Returns the pointer to a member of the object at this pointer.
  public func appending(_ name: String) -> JSONPointer {
    JSONPointer(tokens: tokens + [name])
  }

  /// Returns the pointer to an element of the array at this pointer.
  public func appending(_ index: Int) -> JSONPointer {
    JSONPointer(tokens: tokens + [String(index)])
  }

  /// The pointer as a URI fragment, without the `#`.
  public var uriFragment: String {
    PercentEncoding.encode(description, keeping: PercentEncoding.fragment)
  }

  /// Returns the value at the pointer. If there is none, throws an error with the first missing part.
  public func value(in root: JSONValue) throws(JSONPointerResolutionError) -> JSONValue {
    var current = root
    for (position, token) in tokens.enumerated() {
      let place = JSONPointer(tokens: Array(tokens[..<position]))
      switch current {
      case .object(let object):
        guard let value = object[token] else { throw JSONPointerResolutionError(pointer: self, resolved: place, reason: .noMember(token)) }
        current = value
      case .array(let elements):
        guard let index = JSONPointer.index(token) else {
          throw JSONPointerResolutionError(pointer: self, resolved: place, reason: .notAnIndex(token))
        }
        guard index < elements.count else {
          throw JSONPointerResolutionError(pointer: self, resolved: place, reason: .noElement(index, count: elements.count))
        }
        current = elements[index]
      default:
        throw JSONPointerResolutionError(pointer: self, resolved: place, reason: .notAContainer(current.kind, token))
      }
    }
    return current
  }

  /// Parses an array index: digits without a leading zero ([RFC 6901 §4](https://www.rfc-editor.org/rfc/rfc6901#section-4)). Returns nil
  /// for any other token, even for `-`. This token refers to the position after the last element, where no element exists.
  private static func index(_ token: String) -> Int? {
    guard !token.isEmpty, token.utf8.allSatisfy(\.isDigit), token == "0" || token.utf8.first != UInt8(ascii: "0") else {
      return nil
    }
    return Int(token) ?? .max
  }
}

extension JSONPointer: Hashable, CustomStringConvertible {
  /// Whether both pointers have the same tokens.
  public static func == (lhs: JSONPointer, rhs: JSONPointer) -> Bool {
    lhs.tokens.elementsEqual(rhs.tokens) { $0.isIdentical(to: $1) }
  }

  /// Hashes the tokens of the pointer.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(tokens)
  }

  /// The pointer as text, such as `/books/0/title`.
  public var description: String {
    var text = ""
    for token in tokens {
      text += "/"
      for scalar in token.unicodeScalars {
        switch scalar {
        case "~": text += "~0"
        case "/": text += "~1"
        default: text.unicodeScalars.append(scalar)
        }
      }
    }
    return text
  }
}
