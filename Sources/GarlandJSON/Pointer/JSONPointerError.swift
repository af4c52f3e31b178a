/// The error of a text that is not a JSON Pointer, with its place.
public struct JSONPointerError: Error, Sendable, Hashable {
  /// The pointer as the caller wrote it.
  public let text: String
  /// The place of the mistake, in UTF-8 bytes from the start.
  public let offset: Int
  /// The mistake in words.
  public let message: String
  /// The likely correction; nil without a good guess.
  public let suggestion: String?
}

extension JSONPointerError: CustomStringConvertible {
  /// The message, the suggestion and the place.
  public var description: String {
    let help = suggestion.map { "; \($0)" } ?? ""
    return "\(message)\(help) (at byte \(offset) of '\(text)')"
  }
}

/// The error of a JSON Pointer that leads to no value.
public struct JSONPointerResolutionError: Error, Sendable, Hashable {
  /// The reason why the pointer leads to no value.
  public enum Reason: Sendable, Hashable {
    /// The object has no member of this name.
    case noMember(String)
    /// The array has no element at this position.
    case noElement(Int, count: Int)
    /// The value is an array, and the token is not an index.
    case notAnIndex(String)
    /// The value is neither an object nor an array.
    case notAContainer(JSONValue.Kind, String)
  }

  /// The whole pointer.
  public let pointer: JSONPointer
  /// The part of the pointer that led to a value.
  public let resolved: JSONPointer
  /// The reason why the next token leads to no value.
  public let reason: Reason
}

extension JSONPointerResolutionError: CustomStringConvertible {
  /// The reason and the place in words.
  public var description: String {
    let place = resolved.tokens.isEmpty ? "the document" : "'\(resolved)'"
    return switch reason {
    case .noMember(let name): "\(place) has no member '\(name)'"
    case .noElement(let index, let count): "\(place) has no element \(index): it has \(count)"
    case .notAnIndex(let token): "\(place) is an array, and '\(token)' is no index"
    case .notAContainer(let kind, let token): "\(place) is a \(kind.rawValue), which has no '\(token)'"
    }
  }
}
