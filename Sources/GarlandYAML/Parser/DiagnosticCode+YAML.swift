public import GarlandDiagnostics

extension DiagnosticCode {
  /// The bytes are neither UTF-8 nor UTF-16, or hold characters that no text has.
  public static let invalidEncoding: DiagnosticCode = "invalid-encoding"
  /// The file is no text at all.
  public static let binaryFile: DiagnosticCode = "binary-file"
  /// The file is larger than the limit.
  public static let fileTooLarge: DiagnosticCode = "file-too-large"
  /// Collections are nested deeper than the limit.
  public static let nestedTooDeep: DiagnosticCode = "nested-too-deep"
  /// Aliases would expand to more nodes than the limit.
  public static let aliasExpansion: DiagnosticCode = "alias-expansion"
  /// `*name` without an `&name` before it.
  public static let undefinedAlias: DiagnosticCode = "undefined-alias"
  /// `*name` inside what `&name` names.
  public static let recursiveAlias: DiagnosticCode = "recursive-alias"
  /// A mapping defines a key twice.
  public static let duplicateKey: DiagnosticCode = "duplicate-key"
  /// A key that is a list, a mapping or missing.
  public static let invalidKey: DiagnosticCode = "invalid-key"
  /// `<<` with something else than mappings.
  public static let invalidMerge: DiagnosticCode = "invalid-merge"
  /// A tag that Garland does not know.
  public static let unknownTag: DiagnosticCode = "unknown-tag"
  /// A tag on a value that it does not fit.
  public static let invalidTag: DiagnosticCode = "invalid-tag"
  /// YAML that cannot be read, for no reason that has a code of its own.
  public static let yamlSyntax: DiagnosticCode = "yaml-syntax"
  /// Indentation that fits none of the blocks above.
  public static let invalidIndentation: DiagnosticCode = "invalid-indentation"
  /// A tab where YAML wants spaces.
  public static let tabIndentation: DiagnosticCode = "tab-indentation"
  /// `"` or `'` without its counterpart, or text after the closing one.
  public static let unbalancedQuotes: DiagnosticCode = "unbalanced-quotes"
  /// `\` followed by a character that is no escape in double quotes.
  public static let invalidEscape: DiagnosticCode = "invalid-escape"
  /// `${…}` without quotes where `{` or `[` has a meaning of its own.
  public static let unquotedExpression: DiagnosticCode = "unquoted-expression"
  /// Brackets in a value without quotes inside `{…}` or `[…]`.
  public static let unquotedBrackets: DiagnosticCode = "unquoted-brackets"
  /// `: ` in a value without quotes.
  public static let unquotedColon: DiagnosticCode = "unquoted-colon"
  /// A value without quotes that starts with a character that means something to YAML.
  public static let unquotedIndicator: DiagnosticCode = "unquoted-indicator"
  /// A value that stops at ` #` in the middle of an expression.
  public static let cutByComment: DiagnosticCode = "cut-by-comment"
  /// `key:value` without the space that makes it a key.
  public static let missingSpace: DiagnosticCode = "missing-space"
  /// `{{ … }}` of another tool where Garland has `${…}`.
  public static let foreignTemplate: DiagnosticCode = "foreign-template"
  /// So many errors that the rest was not looked at.
  public static let tooManyErrors: DiagnosticCode = "too-many-errors"
}
