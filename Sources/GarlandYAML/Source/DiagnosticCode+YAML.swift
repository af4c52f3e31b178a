public import GarlandDiagnostics

extension DiagnosticCode {
  /// The bytes are neither UTF-8 nor UTF-16, or contain characters that YAML forbids.
  public static let invalidEncoding: DiagnosticCode = "invalid-encoding"
  /// The file is not text.
  public static let binaryFile: DiagnosticCode = "binary-file"
  /// The file is larger than the limit.
  public static let fileTooLarge: DiagnosticCode = "file-too-large"
  /// Collections are nested deeper than the limit.
  public static let nestedTooDeep: DiagnosticCode = "nested-too-deep"
  /// Aliases would expand to more nodes than the limit.
  public static let aliasExpansion: DiagnosticCode = "alias-expansion"
  /// An alias (`*name`) without an anchor (`&name`) before it.
  public static let undefinedAlias: DiagnosticCode = "undefined-alias"
  /// An alias (`*name`) inside the node that has the anchor (`&name`).
  public static let recursiveAlias: DiagnosticCode = "recursive-alias"
  /// A mapping defines a key twice.
  public static let duplicateKey: DiagnosticCode = "duplicate-key"
  /// A mapping entry without a key, or a key that is a list or a mapping.
  public static let invalidKey: DiagnosticCode = "invalid-key"
  /// A merge key (`<<`) whose value is neither a mapping nor a list of mappings.
  public static let invalidMerge: DiagnosticCode = "invalid-merge"
  /// A tag that Garland does not know.
  public static let unknownTag: DiagnosticCode = "unknown-tag"
  /// A tag that does not fit its value.
  public static let invalidTag: DiagnosticCode = "invalid-tag"
  /// The error for YAML that cannot be parsed, if no other code describes the mistake.
  public static let yamlSyntax: DiagnosticCode = "yaml-syntax"
  /// Indentation that matches no enclosing block.
  public static let invalidIndentation: DiagnosticCode = "invalid-indentation"
  /// A tab where YAML requires spaces.
  public static let tabIndentation: DiagnosticCode = "tab-indentation"
  /// A quote (`"` or `'`) without its counterpart, or text after the closing quote.
  public static let unbalancedQuotes: DiagnosticCode = "unbalanced-quotes"
  /// A `\` in double quotes that begins no valid escape.
  public static let invalidEscape: DiagnosticCode = "invalid-escape"
  /// An expression (`${…}`) without quotes, in a place where YAML reads its braces as a collection, such as inside `{…}` or `[…]`.
  public static let unquotedExpression: DiagnosticCode = "unquoted-expression"
  /// Brackets in an unquoted value inside `{…}` or `[…]`.
  public static let unquotedBrackets: DiagnosticCode = "unquoted-brackets"
  /// A `: ` in an unquoted value.
  public static let unquotedColon: DiagnosticCode = "unquoted-colon"
  /// An unquoted value that starts with a special character of YAML.
  public static let unquotedIndicator: DiagnosticCode = "unquoted-indicator"
  /// An expression that a comment (` #`) cuts off in the middle.
  public static let cutByComment: DiagnosticCode = "cut-by-comment"
  /// A text such as `key:value`, in which the space after the colon is missing. With the space, the text would be a key and its value.
  public static let missingSpace: DiagnosticCode = "missing-space"
  /// A `{{ … }}` of another tool where Garland uses `${…}`.
  public static let foreignTemplate: DiagnosticCode = "foreign-template"
  /// Too many errors, so that the rest of the file was not checked.
  public static let tooManyErrors: DiagnosticCode = "too-many-errors"

  /// The codes of YAML syntax errors. A text with such an error cannot be parsed.
  package static let yamlSyntaxErrors: Set<DiagnosticCode> = [
    .yamlSyntax, .invalidIndentation, .tabIndentation, .unbalancedQuotes, .invalidEscape, .unquotedExpression, .unquotedBrackets,
    .unquotedColon, .unquotedIndicator,
  ]
}
