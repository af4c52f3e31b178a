public import GarlandDiagnostics

extension DiagnosticCode {
  /// The error for a value of a type that is not allowed at this point of the document.
  public static let wrongType: DiagnosticCode = "wrong-type"
  /// The error for null, a list or a mapping where a text is required.
  static let notText: DiagnosticCode = "not-text"
  /// The error for an expression that refers to a missing value.
  public static let undefined: DiagnosticCode = "undefined"
  /// The error for a text that is not a valid expression.
  static let expressionSyntax: DiagnosticCode = "expression-syntax"
  /// The error for a `${` without a closing `}`, or for a text in an expression without a closing quote.
  static let unclosedExpression: DiagnosticCode = "unclosed-expression"
  /// The error for a calculation that has no result.
  static let arithmetic: DiagnosticCode = "arithmetic"
  /// The error for a value, such as a text, that an expression creates and that exceeds the size limit.
  public static let tooLarge: DiagnosticCode = "too-large"
  /// The error for a value that was not computed within the time limit.
  public static let outOfTime: DiagnosticCode = "out-of-time"
  /// The error for an HTML form that can't be filled in or submitted.
  package static let form: DiagnosticCode = "form"
  /// The error for a response body that can't be read in the requested format, such as JSON.
  public static let responseBody: DiagnosticCode = "response-body"
  /// The error for a digest that OpenSSL can't compute.
  static let cryptography: DiagnosticCode = "cryptography"
  /// The error for a file that is missing, can't be read, or is outside of the allowed folders.
  public static let file: DiagnosticCode = "file"
  /// The error for a file of cookies that can't be written.
  public static let cookieFile: DiagnosticCode = "cookie-file"
  /// The error for an expression with the name of a step, variable or secret that does not exist or cannot be used at this point.
  public static let undefinedName: DiagnosticCode = "undefined-name"
  /// The error for an expression that uses an unknown member of a step or response, such as `login.stauts`.
  static let undefinedMember: DiagnosticCode = "undefined-member"
  /// The error for a filter that does not exist.
  static let unknownFilter: DiagnosticCode = "unknown-filter"
  /// The error for a function that does not exist.
  static let unknownFunction: DiagnosticCode = "unknown-function"
  /// The error for a filter or function with too many or too few arguments.
  static let wrongArguments: DiagnosticCode = "wrong-arguments"
  /// The error for a mapping with a key that the language does not know.
  static let unknownKey: DiagnosticCode = "unknown-key"
  /// The error for a key of a step if the key is indented like the id of a step.
  static let misplacedKey: DiagnosticCode = "misplaced-key"
  /// The error for a mapping that lacks a required key.
  static let missingKey: DiagnosticCode = "missing-key"
  /// The error for a document whose format version is missing or is not supported by this program.
  static let badVersion: DiagnosticCode = "bad-version"
  /// The error for a file that contains no workflow, or more than one workflow.
  static let notAWorkflow: DiagnosticCode = "not-a-workflow"
  /// The error for an id or a name that is empty, or has characters that are not allowed.
  static let badName: DiagnosticCode = "bad-name"
  /// The error for an id or a name that the language reserves.
  static let reservedName: DiagnosticCode = "reserved-name"
  /// The error for a step with two bodies.
  static let twoBodies: DiagnosticCode = "two-bodies"
  /// The error for a step with two kinds of credentials.
  static let twoCredentials: DiagnosticCode = "two-credentials"
  /// The error for a step with two actions, such as `get` and `websocket`.
  static let twoActions: DiagnosticCode = "two-actions"
  /// The error for a step without an action.
  static let noAction: DiagnosticCode = "no-action"
  /// The error for two keys of the same mapping that exclude each other.
  public static let conflict: DiagnosticCode = "conflict"
  /// The error for a relative URL without a `base_url`.
  public static let relativeURL: DiagnosticCode = "relative-url"
  /// The error for a URL with characters that are not allowed.
  static let badURL: DiagnosticCode = "bad-url"
  /// The error for a header whose name or value has characters that are not allowed.
  public static let badHeader: DiagnosticCode = "bad-header"
  /// The error for a method that is not a valid HTTP token.
  static let badMethod: DiagnosticCode = "bad-method"
  /// The error for a text that is not a valid JSONPath.
  static let badJSONPath: DiagnosticCode = "bad-jsonpath"
  /// The error for a text that is not a valid XPath 1.0 expression.
  static let badXPath: DiagnosticCode = "bad-xpath"
  /// The error for a text that is not a valid JSON Pointer.
  static let badPointer: DiagnosticCode = "bad-pointer"
  /// The error for a text that is not a valid regular expression.
  static let badRegex: DiagnosticCode = "bad-regex"
  /// The error for a value that is not a valid JSON Schema.
  static let badSchema: DiagnosticCode = "bad-schema"
  /// The error for a text that is not valid base64.
  static let badBase64: DiagnosticCode = "bad-base64"
  /// The error for a predicate that does not exist, or for a mapping where a predicate is required.
  static let unknownPredicate: DiagnosticCode = "unknown-predicate"
  /// The error for an expectation that no response can meet.
  static let neverHolds: DiagnosticCode = "never-holds"
  /// The diagnostic for an expectation that every response meets, so that it checks nothing.
  static let testsNothing: DiagnosticCode = "tests-nothing"
  /// The error for a predicate that needs a single value, but checks a path that can select several values.
  static let scalarOnList: DiagnosticCode = "scalar-on-list"
  /// The error for a key that names a step that does not exist.
  static let undefinedStep: DiagnosticCode = "undefined-step"
  /// The error for a profile that does not exist.
  public static let undefinedProfile: DiagnosticCode = "undefined-profile"
  /// The error for profiles that extend each other in a cycle.
  static let profileCycle: DiagnosticCode = "profile-cycle"
  /// The error for variables that refer to each other in a cycle.
  static let variableCycle: DiagnosticCode = "variable-cycle"
  /// The error for a file that the document names and that does not exist or can't be read.
  static let missingFile: DiagnosticCode = "missing-file"
  /// The error for a secret that the document uses and that is not set.
  public static let missingSecret: DiagnosticCode = "missing-secret"
  /// The error for a file outside of the folders that the project may use.
  public static let fileOutside: DiagnosticCode = "file-outside"
  /// The warning for a variable that nothing uses.
  static let unusedVariable: DiagnosticCode = "unused-variable"
  /// The warning for a credential that is written literally in a document.
  static let literalCredential: DiagnosticCode = "literal-credential"
  /// The warning for a step's quarantine that ends within a week.
  static let quarantineEnds: DiagnosticCode = "quarantine-ends"
  /// The warning for a step's quarantine that has ended.
  static let quarantineOver: DiagnosticCode = "quarantine-over"
  /// The warning for a quarantine of a step that does not exist.
  static let quarantineUnused: DiagnosticCode = "quarantine-unused"
  /// The warning for a template of `defaults.steps` that no step extends.
  static let unusedTemplate: DiagnosticCode = "unused-template"
  /// The warning for a step that has no expectations, if no other step, extract or download uses its response.
  static let noExpectation: DiagnosticCode = "no-expectation"
  /// The warning for an extract that nothing uses.
  public static let unusedExtract: DiagnosticCode = "unused-extract"
  /// The warning for a secret in a URL, since servers and proxies log URLs.
  static let secretInURL: DiagnosticCode = "secret-in-url"
  /// The warning for a value that another step sends as a credential, but that is extracted without `secret: true`.
  static let unmaskedCredential: DiagnosticCode = "unmasked-credential"
  /// The error for an expression, or other content, where only a plain name is allowed.
  static let notAName: DiagnosticCode = "not-a-name"
  /// The error for a text that is not valid JSON.
  static let badJSON: DiagnosticCode = "bad-json"
  /// The error for a line of a dotenv file that does not have the form `NAME=VALUE`.
  static let badDotenv: DiagnosticCode = "bad-dotenv"
  /// The error for a file of values with several YAML documents.
  static let severalDocuments: DiagnosticCode = "several-documents"
  /// The warning for a text that names a file in the syntax of another tool. Garland sends this text, and not the file.
  static let literalFile: DiagnosticCode = "literal-file"
  /// The warning for JSON that is written as a text below `json:`, since Garland sends the text as a JSON string.
  static let jsonText: DiagnosticCode = "json-text"
  /// The diagnostic for an expression in a place where values are used literally, without evaluation.
  static let literalExpression: DiagnosticCode = "literal-expression"
  /// The error for a file with the rows of a loop, if the file can't be read or is not in the expected format.
  static let badRows: DiagnosticCode = "bad-rows"
  /// The warning for a step that has retry settings, but whose method is never retried.
  static let idleRetry: DiagnosticCode = "idle-retry"
  /// The warning for a file that should contain the rows of a loop but contains none.
  static let noRows: DiagnosticCode = "no-rows"
  /// The error for a step that uses a resource that the document does not declare.
  static let undefinedResource: DiagnosticCode = "undefined-resource"
  /// The error for documents that use each other in a cycle.
  static let documentCycle: DiagnosticCode = "document-cycle"
  /// The error for an input of a document that is required but has no value.
  public static let missingInput: DiagnosticCode = "missing-input"
  /// The error for the name of an input that the document does not declare.
  static let undefinedInput: DiagnosticCode = "undefined-input"
  /// The error for steps that extend each other in a cycle.
  static let extendsCycle: DiagnosticCode = "extends-cycle"
}
