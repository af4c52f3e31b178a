public import GarlandDiagnostics
public import GarlandJSON

/// A condition for one value. In a document, a scalar or a list means ``Kind/eq(_:)``; a mapping contains one predicate for each key.
public struct Predicate: Sendable {
  /// The predicates of the workflow language, each with its argument.
  public enum Kind: Sendable {
    /// The value is equal to the argument. Numbers are compared by value, lists and objects with all their content.
    case eq(ValueTemplate)
    /// The value is not equal to the argument, or the value is undefined.
    case ne(ValueTemplate)
    /// The value is a number greater than the argument.
    case gt(ValueTemplate)
    /// The value is a number greater than or equal to the argument.
    case gte(ValueTemplate)
    /// The value is a number less than the argument.
    case lt(ValueTemplate)
    /// The value is a number less than or equal to the argument.
    case lte(ValueTemplate)
    /// The argument is a list, and the value is equal to an item of this list.
    case `in`(ValueTemplate)
    /// The value contains the argument: a text contains it as a part, a list as an item, and an object as the name of a member.
    case contains(ValueTemplate)
    /// The value is a text that begins with the argument.
    case startsWith(ValueTemplate)
    /// The value is a text that ends with the argument.
    case endsWith(ValueTemplate)
    /// The value is a text in which the pattern matches.
    indirect case matches(PatternTemplate)
    /// The value has one of the given types.
    case type([JSONTypeName])
    /// The given predicates hold for the length of the value: the number of characters of a text, of items of a list, or of members of an
    /// object.
    case length([Predicate])
    /// If true, the text, list or object must be empty. If false, it must not be empty.
    indirect case empty(Setting<Bool>)
    /// If true, the value must exist, possibly as null. If false, it must not exist.
    indirect case exists(Setting<Bool>)
    /// The value is a list with at least one item, and the given predicates hold for every item.
    case each([Predicate])
    /// The value is a list, and the given predicates hold for at least one item.
    case any([Predicate])
    /// The value is a list with at least one item, and no item meets the given predicates.
    case none([Predicate])
    /// The argument is a subset of the value. An object is a subset of another object if each of its members is a subset of the member with
    /// the same name in the other object. A list is a subset of another list if each of its items is a subset of a different item of the
    /// other list. Any other value is a subset of an equal value.
    case subset(ValueTemplate)
    /// The value is valid according to a JSON Schema.
    indirect case schema(SchemaTemplate)
    /// At least one of the given predicates does not hold.
    case not([Predicate])
    /// The value is a text that contains JSON. Each JSONPath selects values of this JSON, and its predicates hold for these values.
    case json([SelectedPredicates])
    /// The value is a time, as text or as a number, and is within the given limits.
    indirect case date(DateTemplate)
  }

  /// The kind of the predicate, with its argument.
  public let kind: Kind
  /// The source range of the predicate's name. For an `eq` that is written without its name, the source range of the value.
  public let keyRange: SourceRange
  /// The source range of the predicate's argument.
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

/// The limits of the predicate `date`. The checked time must be within all limits that are set.
public struct DateTemplate: Sendable {
  /// The checked time must be before this time. From the key `before:`.
  public let before: ValueTemplate?
  /// The checked time must be after this time. From the key `after:`.
  public let after: ValueTemplate?
  /// The time that the checked time must equal, from the key `at:`.
  public let at: ValueTemplate?
  /// The maximum distance of the checked time from the current time, from the key `within:`.
  public let within: Setting<Duration>?
  /// The format of the checked text, from the key `format:`. If nil, any of the usual date formats is accepted.
  public let format: String?
}

/// A regular expression. It is compiled when the document is checked, or, if its text contains expressions, during the run.
public struct PatternTemplate: Sendable {
  /// A compiled pattern, or a text with expressions that compute the pattern.
  public enum Content: Sendable {
    /// A valid pattern without expressions.
    case constant(RegularExpression)
    /// A text with expressions that compute the pattern.
    case template(Template)
  }

  /// The compiled pattern, or a text with expressions that compute the pattern.
  public let content: Content
  /// The source range of the pattern.
  public let range: SourceRange
}

/// Predicates for the value that a JSONPath selects, or for the list of values if the path can select several values.
public struct SelectedPredicates: Sendable {
  /// The path that selects the value or values.
  public let path: JSONPath
  /// The predicates for the value or values that ``path`` selects.
  public let predicates: [Predicate]
}
