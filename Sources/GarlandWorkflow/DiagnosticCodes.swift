public import GarlandDiagnostics

extension DiagnosticCode {
  /// A value is not of the type that its place needs.
  public static let wrongType: DiagnosticCode = "wrong-type"
  /// Null, a list or a mapping where a text is required.
  public static let notText: DiagnosticCode = "not-text"
  /// A value that an expression refers to is missing.
  public static let undefined: DiagnosticCode = "undefined"
  /// A text is not an expression.
  public static let expressionSyntax: DiagnosticCode = "expression-syntax"
  /// A `${`, or a text in an expression, is not closed.
  public static let unclosedExpression: DiagnosticCode = "unclosed-expression"
  /// A calculation has no result.
  public static let arithmetic: DiagnosticCode = "arithmetic"
  /// A text or a value that a document creates is too large.
  public static let tooLarge: DiagnosticCode = "too-large"
  /// The time limit was reached before a value was computed.
  public static let outOfTime: DiagnosticCode = "out-of-time"
  /// A form of a page can't be filled in or submitted.
  package static let form: DiagnosticCode = "form"
  /// A response's body can't be read in this way.
  public static let responseBody: DiagnosticCode = "response-body"
  /// OpenSSL rejects a digest.
  public static let cryptography: DiagnosticCode = "cryptography"
  /// A file is missing, can't be read, or is outside of the allowed folders.
  public static let file: DiagnosticCode = "file"
  /// A file of cookies can't be written.
  public static let cookieFile: DiagnosticCode = "cookie-file"
  /// An expression names a step, variable or secret that does not exist, or that cannot be used in this place.
  public static let undefinedName: DiagnosticCode = "undefined-name"
  /// An expression names a part of a step or response that does not exist.
  public static let undefinedMember: DiagnosticCode = "undefined-member"
  /// A filter does not exist.
  public static let unknownFilter: DiagnosticCode = "unknown-filter"
  /// A function does not exist.
  public static let unknownFunction: DiagnosticCode = "unknown-function"
  /// A filter or function has too many or too few arguments.
  public static let wrongArguments: DiagnosticCode = "wrong-arguments"
  /// A mapping has a key that the language does not know.
  public static let unknownKey: DiagnosticCode = "unknown-key"
  /// A key of a step that is indented as if it were a step.
  public static let misplacedKey: DiagnosticCode = "misplaced-key"
  /// A mapping lacks a key that it needs.
  public static let missingKey: DiagnosticCode = "missing-key"
  /// The format version is missing or not one that this program reads.
  public static let badVersion: DiagnosticCode = "bad-version"
  /// The file holds no workflow, or several.
  public static let notAWorkflow: DiagnosticCode = "not-a-workflow"
  /// An id or a name has characters that it can't have, or is empty.
  public static let badName: DiagnosticCode = "bad-name"
  /// An id or a name is reserved by the language.
  public static let reservedName: DiagnosticCode = "reserved-name"
  /// A step has two bodies.
  public static let twoBodies: DiagnosticCode = "two-bodies"
  /// A step has two kinds of auth.
  public static let twoCredentials: DiagnosticCode = "two-credentials"
  /// A step has two actions.
  public static let twoActions: DiagnosticCode = "two-actions"
  /// A step has no action.
  public static let noAction: DiagnosticCode = "no-action"
  /// Two keys of the same mapping exclude each other.
  public static let conflict: DiagnosticCode = "conflict"
  /// A relative URL without a `base_url`.
  public static let relativeURL: DiagnosticCode = "relative-url"
  /// A URL has characters that it can't have.
  public static let badURL: DiagnosticCode = "bad-url"
  /// A header's name or value has characters that it can't have.
  public static let badHeader: DiagnosticCode = "bad-header"
  /// A method is not a valid HTTP token.
  public static let badMethod: DiagnosticCode = "bad-method"
  /// A text is no JSONPath.
  public static let badJSONPath: DiagnosticCode = "bad-jsonpath"
  /// A text is no XPath 1.0 expression.
  public static let badXPath: DiagnosticCode = "bad-xpath"
  /// A text is no JSON Pointer.
  public static let badPointer: DiagnosticCode = "bad-pointer"
  /// A text is no regular expression.
  public static let badRegex: DiagnosticCode = "bad-regex"
  /// A value is no JSON Schema.
  public static let badSchema: DiagnosticCode = "bad-schema"
  /// A text is no base64.
  public static let badBase64: DiagnosticCode = "bad-base64"
  /// A predicate does not exist, or a mapping is written where a predicate is required.
  public static let unknownPredicate: DiagnosticCode = "unknown-predicate"
  /// An expectation that no response can meet.
  public static let neverHolds: DiagnosticCode = "never-holds"
  /// An expectation that checks nothing: every response meets it.
  public static let testsNothing: DiagnosticCode = "tests-nothing"
  /// A predicate for one value on a path that can select several.
  public static let scalarOnList: DiagnosticCode = "scalar-on-list"
  /// A key names a step that does not exist.
  public static let undefinedStep: DiagnosticCode = "undefined-step"
  /// The profile does not exist.
  public static let undefinedProfile: DiagnosticCode = "undefined-profile"
  /// Profiles extend each other in a cycle.
  public static let profileCycle: DiagnosticCode = "profile-cycle"
  /// Variables refer to each other in a cycle.
  public static let variableCycle: DiagnosticCode = "variable-cycle"
  /// A file that the document names does not exist or can't be read.
  public static let missingFile: DiagnosticCode = "missing-file"
  /// A secret that is used is not set.
  public static let missingSecret: DiagnosticCode = "missing-secret"
  /// A file lies outside of the project.
  public static let fileOutside: DiagnosticCode = "file-outside"
  /// A variable that nothing uses.
  public static let unusedVariable: DiagnosticCode = "unused-variable"
  /// A credential is written literally in a document.
  public static let literalCredential: DiagnosticCode = "literal-credential"
  /// The quarantine of a step ends within a week.
  public static let quarantineEnds: DiagnosticCode = "quarantine-ends"
  /// The quarantine of a step is over.
  public static let quarantineOver: DiagnosticCode = "quarantine-over"
  /// A quarantine of a step that does not exist.
  public static let quarantineUnused: DiagnosticCode = "quarantine-unused"
  /// A template of `defaults.steps` that no step extends.
  public static let unusedTemplate: DiagnosticCode = "unused-template"
  /// A step that expects nothing, and whose response nothing uses.
  public static let noExpectation: DiagnosticCode = "no-expectation"
  /// An extract that nothing uses.
  public static let unusedExtract: DiagnosticCode = "unused-extract"
  /// A secret is part of a URL, which servers and proxies log.
  public static let secretInURL: DiagnosticCode = "secret-in-url"
  /// A value that another step sends as a credential is extracted without `secret: true`.
  public static let unmaskedCredential: DiagnosticCode = "unmasked-credential"
  /// Something other than a plain name, such as an expression, where only a name is allowed.
  public static let notAName: DiagnosticCode = "not-a-name"
  /// A text is no JSON.
  public static let badJSON: DiagnosticCode = "bad-json"
  /// A line of a dotenv file is not `NAME=VALUE`.
  public static let badDotenv: DiagnosticCode = "bad-dotenv"
  /// A file name in the syntax of another tool, which is sent unchanged.
  public static let literalFile: DiagnosticCode = "literal-file"
  /// An expression in a place where values are used literally, without evaluation.
  public static let literalExpression: DiagnosticCode = "literal-expression"
  /// The file with the rows of a loop can't be read, or is not in the expected format.
  public static let badRows: DiagnosticCode = "bad-rows"
  /// A step has retry settings, but its method is never retried.
  public static let idleRetry: DiagnosticCode = "idle-retry"
  /// The file with the rows of a loop has no rows.
  public static let noRows: DiagnosticCode = "no-rows"
  /// A step uses a resource that the document does not declare.
  public static let undefinedResource: DiagnosticCode = "undefined-resource"
  /// Documents use each other in a cycle.
  public static let documentCycle: DiagnosticCode = "document-cycle"
  /// An input that a document needs has no value.
  public static let missingInput: DiagnosticCode = "missing-input"
  /// A document has no input of the name.
  public static let undefinedInput: DiagnosticCode = "undefined-input"
  /// Steps extend each other in a cycle.
  public static let extendsCycle: DiagnosticCode = "extends-cycle"
}
