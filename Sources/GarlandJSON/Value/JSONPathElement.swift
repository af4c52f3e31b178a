/// One element of a path into a value: the name of a member of an object, or the index of an element of an array.
public enum JSONPathElement: Sendable, Hashable {
  /// The member of an object with the given name.
  case name(String)
  /// The element of an array at the given index. A negative index counts from the end.
  case index(Int)

  /// Whether both elements are the same index, or names with the same Unicode scalars.
  public static func == (lhs: JSONPathElement, rhs: JSONPathElement) -> Bool {
    switch (lhs, rhs) {
    case (.name(let left), .name(let right)): left.isIdentical(to: right)
    case (.index(let left), .index(let right)): left == right
    default: false
    }
  }

  /// Adds the element to `hasher`. Equal elements have equal hashes.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .name(let name): hasher.combine(name)
    case .index(let index): hasher.combine(index)
    }
  }
}

extension JSONPathElement: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
  /// Creates a path element for a member.
  public init(stringLiteral value: String) {
    self = .name(value)
  }

  /// Creates a path element for an array element.
  public init(integerLiteral value: Int) {
    self = .index(value)
  }
}
