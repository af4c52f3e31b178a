public import GarlandDiagnostics

/// What is expected of one value. A scalar or a list in the document is ``Kind/eq(_:)``; a mapping is one predicate for each key.
public struct Predicate: Sendable {
  /// The predicates of the language.
  public enum Kind: Sendable {
    /// Equal: numbers by value, lists and objects deeply.
    case eq(ValueTemplate)
    /// Not equal; true for what is undefined.
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
    /// Of text: has this part. Of a list: has an equal item. Of an object: has a member of this name.
    case contains(ValueTemplate)
    /// Of text.
    case startsWith(ValueTemplate)
    /// Of text.
    case endsWith(ValueTemplate)
    /// Of text: the pattern is found in it.
    indirect case matches(PatternTemplate)
    /// Is of one of these types.
    case type([JSONTypeName])
    /// Characters of a text, items of a list, members of an object: these hold for their number.
    case length([Predicate])
    /// Of a text, list or object: has no characters, items or members, or, when false, has some.
    indirect case empty(Setting<Bool>)
    /// Is there, null too; or, when false, is not.
    indirect case exists(Setting<Bool>)
    /// Of a list: these hold for every item, and there is one.
    case each([Predicate])
    /// Of a list: these hold for at least one item.
    case any([Predicate])
    /// Of a list: there are items, and these hold for none.
    case none([Predicate])
    /// Of an object: has these members, their values being subsets in turn; of a list: each of these is a subset of an item of its own.
    case subset(ValueTemplate)
    /// Is valid by a JSON Schema.
    indirect case schema(SchemaTemplate)
    /// These do not all hold.
    case not([Predicate])
    /// Of text that is JSON: these hold for what paths select in it.
    case json([SelectedPredicates])
    /// Of a time, as text or a number.
    indirect case date(DateTemplate)
  }

  /// Which, with its argument.
  public let kind: Kind
  /// Where its name stands; where the value stands, for an `eq` that is not written out.
  public let keyRange: SourceRange
  /// Where its argument stands.
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
