/// Why a text is no JSON Pointer, and where.
public struct JSONPointerError: Error, Sendable, Hashable {
  /// The text as it was given.
  public let text: String
  /// Where the mistake is, in UTF-8 bytes from the start.
  public let offset: Int
  /// What is wrong, in words.
  public let message: String
  /// What to write instead, where a good guess can be made.
  public let suggestion: String?
}

extension JSONPointerError: CustomStringConvertible {
  /// The message, the suggestion and the place.
  public var description: String {
    let help = suggestion.map { "; \($0)" } ?? ""
    return "\(message)\(help) (at byte \(offset) of '\(text)')"
  }
}

/// Where a JSON Pointer leads nowhere.
public struct JSONPointerResolutionError: Error, Sendable, Hashable {
  /// What was missing.
  public enum Reason: Sendable, Hashable {
    /// The object has no member of that name.
    case noMember(String)
    /// The array has no such element.
    case noElement(Int, count: Int)
    /// There is an array, and this is no index.
    case notAnIndex(String)
    /// There is a value that contains nothing.
    case notAContainer(JSONValue.Kind, String)
  }

  /// The whole pointer.
  public let pointer: JSONPointer
  /// How far it led.
  public let resolved: JSONPointer
  /// What was missing there.
  public let reason: Reason
}

extension JSONPointerResolutionError: CustomStringConvertible {
  /// What was missing and where, in words.
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
