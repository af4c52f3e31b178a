public import GarlandDiagnostics

extension DiagnosticCode {
  /// The error for a value whose type is not allowed in its place.
  public static let wrongType: DiagnosticCode = "wrong-type"
  /// The error for null, a list or a mapping where a text is required.
  public static let notText: DiagnosticCode = "not-text"
  /// The error for an expression that refers to a missing value.
  public static let undefined: DiagnosticCode = "undefined"
  /// The error for a text that is not a valid expression.
  public static let expressionSyntax: DiagnosticCode = "expression-syntax"
  /// The error for a `${`, or a text in an expression, that is not closed.
  public static let unclosedExpression: DiagnosticCode = "unclosed-expression"
  /// The error for a calculation that has no result.
  public static let arithmetic: DiagnosticCode = "arithmetic"
  /// The error for a text or a value that a document creates and that is too large.
  public static let tooLarge: DiagnosticCode = "too-large"
  /// The error for a value that was not computed within the time limit.
  public static let outOfTime: DiagnosticCode = "out-of-time"
  /// The error for a form of a page that can't be filled in or submitted.
  package static let form: DiagnosticCode = "form"
  /// The error for a response's body that can't be read in the requested form.
  public static let responseBody: DiagnosticCode = "response-body"
  /// The error for a digest that OpenSSL rejects.
  public static let cryptography: DiagnosticCode = "cryptography"
  /// The error for a file that is missing, can't be read, or is outside of the allowed folders.
  public static let file: DiagnosticCode = "file"
  /// The error for a file of cookies that can't be written.
  public static let cookieFile: DiagnosticCode = "cookie-file"
  /// The error for an expression that names a step, variable or secret that does not exist, or that cannot be used in this place.
  public static let undefinedName: DiagnosticCode = "undefined-name"
  /// The error for an expression that names a part of a step or response that does not exist.
  public static let undefinedMember: DiagnosticCode = "undefined-member"
  /// A filter does not exist.
  public static let unknownFilter: DiagnosticCode = "unknown-filter"
  /// A function does not exist.
  public static let unknownFunction: DiagnosticCode = "unknown-function"
  /// A filter or function has too many or too few arguments.
  public static let wrongArguments: DiagnosticCode = "wrong-arguments"
  /// A mapping has a key that the language does not know.
  public static let unknownKey: DiagnosticCode = "unknown-key"
  /// The error for a key of a step that is indented as if it were a step.
  public static let misplacedKey: DiagnosticCode = "misplaced-key"
  /// A mapping lacks a key that it needs.
  public static let missingKey: DiagnosticCode = "missing-key"
  /// The error for a document whose format version is missing or is not supported by this program.
  public static let badVersion: DiagnosticCode = "bad-version"
  /// The error for a file that contains no workflow, or several.
  public static let notAWorkflow: DiagnosticCode = "not-a-workflow"
  /// The error for an id or a name that is empty, or has characters that are not allowed.
  public static let badName: DiagnosticCode = "bad-name"
  /// An id or a name is reserved by the language.
  public static let reservedName: DiagnosticCode = "reserved-name"
  /// A step has two bodies.
  public static let twoBodies: DiagnosticCode = "two-bodies"
  /// The error for a step with two kinds of credentials.
  public static let twoCredentials: DiagnosticCode = "two-credentials"
  /// A step has two actions.
  public static let twoActions: DiagnosticCode = "two-actions"
  /// A step has no action.
  public static let noAction: DiagnosticCode = "no-action"
  /// Two keys of the same mapping exclude each other.
  public static let conflict: DiagnosticCode = "conflict"
  /// The error for a relative URL without a `base_url`.
  public static let relativeURL: DiagnosticCode = "relative-url"
  /// The error for a URL with characters that are not allowed.
  public static let badURL: DiagnosticCode = "bad-url"
  /// The error for a header whose name or value has characters that are not allowed.
  public static let badHeader: DiagnosticCode = "bad-header"
  /// A method is not a valid HTTP token.
  public static let badMethod: DiagnosticCode = "bad-method"
  /// The error for a text that is not a valid JSONPath.
  public static let badJSONPath: DiagnosticCode = "bad-jsonpath"
  /// The error for a text that is not a valid XPath 1.0 expression.
  public static let badXPath: DiagnosticCode = "bad-xpath"
  /// The error for a text that is not a valid JSON Pointer.
  public static let badPointer: DiagnosticCode = "bad-pointer"
  /// The error for a text that is not a valid regular expression.
  public static let badRegex: DiagnosticCode = "bad-regex"
  /// The error for a value that is not a valid JSON Schema.
  public static let badSchema: DiagnosticCode = "bad-schema"
  /// The error for a text that is not valid base64.
  public static let badBase64: DiagnosticCode = "bad-base64"
  /// A predicate does not exist, or a mapping is written where a predicate is required.
  public static let unknownPredicate: DiagnosticCode = "unknown-predicate"
  /// The error for an expectation that no response can meet.
  public static let neverHolds: DiagnosticCode = "never-holds"
  /// The diagnostic for an expectation that every response meets, so that it checks nothing.
  public static let testsNothing: DiagnosticCode = "tests-nothing"
  /// The error for a predicate that needs a single value, on a path that can select several values.
  public static let scalarOnList: DiagnosticCode = "scalar-on-list"
  /// The error for a key that names a step that does not exist.
  public static let undefinedStep: DiagnosticCode = "undefined-step"
  /// The error for a profile that does not exist.
  public static let undefinedProfile: DiagnosticCode = "undefined-profile"
  /// Profiles extend each other in a cycle.
  public static let profileCycle: DiagnosticCode = "profile-cycle"
  /// Variables refer to each other in a cycle.
  public static let variableCycle: DiagnosticCode = "variable-cycle"
  /// A file that the document names does not exist or can't be read.
  public static let missingFile: DiagnosticCode = "missing-file"
  /// A secret that is used is not set.
  public static let missingSecret: DiagnosticCode = "missing-secret"
  /// The error for a file outside of the project.
  public static let fileOutside: DiagnosticCode = "file-outside"
  /// The warning for a variable that nothing uses.
  public static let unusedVariable: DiagnosticCode = "unused-variable"
  /// A credential is written literally in a document.
  public static let literalCredential: DiagnosticCode = "literal-credential"
  /// The quarantine of a step ends within a week.
  public static let quarantineEnds: DiagnosticCode = "quarantine-ends"
  /// The quarantine of a step is over.
  public static let quarantineOver: DiagnosticCode = "quarantine-over"
  /// The warning for a quarantine of a step that does not exist.
  public static let quarantineUnused: DiagnosticCode = "quarantine-unused"
  /// The warning for a template of `defaults.steps` that no step extends.
  public static let unusedTemplate: DiagnosticCode = "unused-template"
  /// The warning for a step without expectations whose response nothing uses.
  public static let noExpectation: DiagnosticCode = "no-expectation"
  /// The warning for an extract that nothing uses.
  public static let unusedExtract: DiagnosticCode = "unused-extract"
  /// A secret is part of a URL, which servers and proxies log.
  public static let secretInURL: DiagnosticCode = "secret-in-url"
  /// The warning for a value that another step sends as a credential, but that is extracted without `secret: true`.
  public static let unmaskedCredential: DiagnosticCode = "unmasked-credential"
  /// The error for an expression, or other content, where only a plain name is allowed.
  public static let notAName: DiagnosticCode = "not-a-name"
  /// The error for a text that is not valid JSON.
  public static let badJSON: DiagnosticCode = "bad-json"
  /// The error for a line of a dotenv file that does not have the form `NAME=VALUE`.
  public static let badDotenv: DiagnosticCode = "bad-dotenv"
  /// The error for a file of values with several YAML documents.
  public static let severalDocuments: DiagnosticCode = "several-documents"
  /// The warning for a file name in the syntax of another tool, since Garland sends the text unchanged.
  public static let literalFile: DiagnosticCode = "literal-file"
  /// The diagnostic for an expression in a place where values are used literally, without evaluation.
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
  /// The error for the name of an input that the document does not declare.
  public static let undefinedInput: DiagnosticCode = "undefined-input"
  /// Steps extend each other in a cycle.
  public static let extendsCycle: DiagnosticCode = "extends-cycle"
}
