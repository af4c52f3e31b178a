public import GarlandDiagnostics

/// An expectation on one value. A scalar or a list in the document is ``Kind/eq(_:)``; a mapping is
/// one predicate for each key.
public struct Predicate: Sendable {
  /// The predicates of the language.
  public enum Kind: Sendable {
    /// Equal: numbers by value, lists and objects deeply.
    case eq(ValueTemplate)
    /// The value is not equal; true for an undefined value.
    case ne(ValueTemplate)
    /// Greater, of numbers.
    case gt(ValueTemplate)
    /// Greater or equal, of numbers.
    case gte(ValueTemplate)
    /// Less, of numbers.
    case lt(ValueTemplate)
    /// Less or equal, of numbers.
    case lte(ValueTemplate)
    /// Equal to one of a list.
    case `in`(ValueTemplate)
    /// A text contains this part; a list contains an equal item; an object has a member of this
    /// name.
    case contains(ValueTemplate)
    /// A text begins with this text.
    case startsWith(ValueTemplate)
    /// A text ends with this text.
    case endsWith(ValueTemplate)
    /// A text contains a match of the pattern.
    indirect case matches(PatternTemplate)
    /// Is of one of these types.
    case type([JSONTypeName])
    /// Characters of a text, items of a list, members of an object: these hold for their number.
    case length([Predicate])
    /// A text, list or object has no characters, items or members, or, if false, has some.
    indirect case empty(Setting<Bool>)
    /// Is there, null too; or, when false, is not.
    indirect case exists(Setting<Bool>)
    /// A list has items, and these predicates hold for every one.
    case each([Predicate])
    /// These predicates hold for at least one item of a list.
    case any([Predicate])
    /// A list has items, and these predicates hold for none.
    case none([Predicate])
    /// An object has these members, whose values are subsets in turn; each of these items is a
    /// subset of a different item of a list.
    case subset(ValueTemplate)
    /// Is valid by a JSON Schema.
    indirect case schema(SchemaTemplate)
    /// These do not all hold.
    case not([Predicate])
    /// A text is JSON, and these predicates hold for the values that the paths select in it.
    case json([SelectedPredicates])
    /// A time, as text or a number, is within these limits.
    indirect case date(DateTemplate)
  }

  /// The kind of the predicate, with its argument.
  public let kind: Kind
  /// The place of its name; the place of the value, for an `eq` that is not written out.
  public let keyRange: SourceRange
  /// The place of its argument.
  public let range: SourceRange

  /// Its name in the language.
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
