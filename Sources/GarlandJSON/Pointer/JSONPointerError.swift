/// The error of a text that is not a JSON Pointer, with the position of the mistake.
public struct JSONPointerError: Error, Sendable, Hashable {
  /// The text that is not a JSON Pointer.
  public let text: String
  /// The byte offset of the mistake from the start of the text, in UTF-8.
  public let offset: Int
  /// A description of the mistake.
  public let message: String
  /// The likely correction of the pointer; nil if none is known.
  public let suggestion: String?
}

extension JSONPointerError: CustomStringConvertible {
  /// The message, the suggestion, and the position of the mistake in the text.
  public var description: String {
    let help = suggestion.map { "; \($0)" } ?? ""
    return "\(message)\(help) (at byte \(offset) of '\(text)')"
  }
}

/// The error of a JSON Pointer that refers to no value of the document.
public struct JSONPointerResolutionError: Error, Sendable, Hashable {
  /// The reason why the pointer refers to no value.
  public enum Reason: Sendable, Hashable {
    /// The object has no member with the given name.
    case noMember(String)
    /// The array has no element at the given index.
    case noElement(Int, count: Int)
    /// The value is an array, and the token is not an index.
    case notAnIndex(String)
    /// The value is neither an object nor an array.
    case notAContainer(JSONValue.Kind, String)
  }

  /// The whole pointer.
  public let pointer: JSONPointer
  /// The part of ``pointer`` before the first token that selects nothing. This part selects a value.
  public let resolved: JSONPointer
  /// The reason why the pointer leads to no value: a token of the pointer selects nothing. A token is the text after a `/`. The failing
  /// token is the one that follows ``resolved`` in ``pointer``.
  public let reason: Reason
}

extension JSONPointerResolutionError: CustomStringConvertible {
  /// A description of the reason, with the location.
  public var description: String {
    let place = resolved.tokens.isEmpty ? "the document" : "'\(resolved)'"
    return switch reason {
    case .noMember(let name): "\(place) has no member '\(name)'"
    case .noElement(let index, let count):
      "\(place) has no element at index \(index): \(count == 0 ? "it is empty" : "its last index is \(count - 1)")"
    case .notAnIndex(let token): "\(place) is an array, but '\(token)' is not an index"
    case .notAContainer(let kind, let token): "\(place) is a \(kind.rawValue), which has no '\(token)'"
    }
  }
}
