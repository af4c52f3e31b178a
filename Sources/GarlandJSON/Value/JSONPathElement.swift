/// One step from a value into it: to a member of an object, or to an element of an array.
public enum JSONPathElement: Sendable, Hashable {
  /// The member of that name.
  case name(String)
  /// The element at that position, counted from the end when negative.
  case index(Int)

  /// Names are equal when their Unicode scalars are.
  public static func == (lhs: JSONPathElement, rhs: JSONPathElement) -> Bool {
    switch (lhs, rhs) {
    case (.name(let left), .name(let right)): left.isIdentical(to: right)
    case (.index(let left), .index(let right)): left == right
    default: false
    }
  }

  /// Hashes so that equal elements have equal hashes.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .name(let name): hasher.combine(name)
    case .index(let index): hasher.combine(index)
    }
  }
}

extension JSONPathElement: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
  /// A member's name.
  public init(stringLiteral value: String) {
    self = .name(value)
  }

  /// An element's position.
  public init(integerLiteral value: Int) {
    self = .index(value)
  }
}
