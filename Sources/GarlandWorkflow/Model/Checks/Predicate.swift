public import GarlandDiagnostics

/// An expectation about a single value. A scalar or a list in the document is ``Kind/eq(_:)``; a mapping contains one predicate for each
/// key.
public struct Predicate: Sendable {
  /// The predicates of the language.
  public enum Kind: Sendable {
    /// The value is equal to this value. Numbers are compared by value, lists and objects with all their content.
    case eq(ValueTemplate)
    /// The value is not equal to this value. An undefined value also satisfies the predicate.
    case ne(ValueTemplate)
    /// The value is a number greater than the argument.
    case gt(ValueTemplate)
    /// The value is a number greater than or equal to the argument.
    case gte(ValueTemplate)
    /// The value is a number less than the argument.
    case lt(ValueTemplate)
    /// The value is a number less than or equal to the argument.
    case lte(ValueTemplate)
    /// The value is equal to an item of this list.
    case `in`(ValueTemplate)
    /// A text contains this text, a list contains an equal item, or an object has a member with this name.
    case contains(ValueTemplate)
    /// A text begins with this text.
    case startsWith(ValueTemplate)
    /// A text ends with this text.
    case endsWith(ValueTemplate)
    /// A text contains a match of the pattern.
    indirect case matches(PatternTemplate)
    /// The value has one of the given types.
    case type([JSONTypeName])
    /// The given predicates hold for the length: the characters of a text, the items of a list or the members of an object.
    case length([Predicate])
    /// If true, the text, list or object must be empty. If false, it must not be empty.
    indirect case empty(Setting<Bool>)
    /// If true, the value must exist, possibly as null. If false, it must not exist.
    indirect case exists(Setting<Bool>)
    /// A list has at least one item, and the given predicates hold for every item.
    case each([Predicate])
    /// The given predicates hold for at least one item of a list.
    case any([Predicate])
    /// A list has at least one item, and the given predicates hold for no item.
    case none([Predicate])
    /// An object has at least the members of the argument, whose values are compared in the same way. For a list, each item of
    /// the argument is a subset of a different item of the list.
    case subset(ValueTemplate)
    /// The value is valid according to a JSON Schema.
    indirect case schema(SchemaTemplate)
    /// At least one of the given predicates does not hold.
    case not([Predicate])
    /// A text is JSON, and the given predicates hold for the values that their paths select in it.
    case json([SelectedPredicates])
    /// A time, as text or a number, is within these limits.
    indirect case date(DateTemplate)
  }

  /// The kind of the predicate, with its argument.
  public let kind: Kind
  /// The place of the predicate's name. For an `eq` without its name, the place of the value.
  public let keyRange: SourceRange
  /// The place of the predicate's argument.
  public let range: SourceRange

  /// The predicate's name in documents.
  public var name: String {
    switch kind {
    case .eq: "eq"
    case .ne: "ne"
    case .gt: "gt"
    case .gte: "gte"
    case .lt: "lt"
    case .lte: "lte"
    case .in: "in"
    case .contains: "contains"
    case .startsWith: "starts_with"
    case .endsWith: "ends_with"
    case .matches: "matches"
    case .type: "type"
    case .length: "length"
    case .empty: "empty"
    case .exists: "exists"
    case .each: "each"
    case .any: "any"
    case .none: "none"
    case .subset: "subset"
    case .schema: "schema"
    case .not: "not"
    case .json: "json"
    case .date: "date"
    }
  }
}
