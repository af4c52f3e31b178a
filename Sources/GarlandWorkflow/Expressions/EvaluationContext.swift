/// The values that expressions can use while a step runs. The runner creates a context for each running step. Variables, steps and secrets
/// are identified by their index in the decoded ``Workflow``.
public protocol EvaluationContext {
  /// Returns the value of a variable. The variable is evaluated once for the document, not for each step.
  ///
  /// - Parameter index: an index of ``Workflow/variables``.
  func variable(_ index: Int) throws(EvaluationError) -> Value
  /// Returns the value of a secret; nil if the secret is not set.
  ///
  /// - Parameter index: an index of ``Workflow/secrets``.
  func secret(_ index: Int) -> String?
  /// Returns the value of an environment variable; nil if the variable is not set.
  ///
  /// - Parameter index: an index of ``Workflow/environmentVariables``.
  func environmentVariable(_ index: Int) -> String?
  /// Returns the value of an input; nil if the input has no value.
  ///
  /// - Parameter index: an index of ``Workflow/inputs``.
  func input(_ index: Int) throws(EvaluationError) -> Value?
  /// Returns a part of the OAuth 2 token of an `auth` entry; nil if the token has no such part.
  ///
  /// - Parameters:
  ///   - index: an index of ``Workflow/authentications``.
  ///   - member: the part of the token.
  func authentication(_ index: Int, _ member: AuthMember) -> Value?
  /// Returns the context of the other document that declares an entry of `auth`; nil if this document declares the entry.
  ///
  /// - Parameter index: an index of ``Workflow/authentications``.
  func context(ofAuthentication index: Int) -> (any EvaluationContext)?
  /// Returns a value that a step extracted; nil if there is none.
  ///
  /// - Parameters:
  ///   - index: an index of the step's ``Step/extractions``.
  ///   - step: the number that the document gives to the step (its ordinal).
  func extracted(_ index: Int, of step: Int) -> Value?
  /// Returns the response of a step that has ended; nil if the step has no response.
  func response(of step: Int) -> (any ResponseData)?
  /// Returns the reason why a step has no result, such as "it was skipped", for the error about an undefined value; nil if no reason is
  /// known.
  func absence(of step: Int) -> String?
  /// Returns the URL at which a step listens, or a list of URLs if the step has a loop; nil if the step does not listen.
  func address(of step: Int) throws(EvaluationError) -> Value?
  /// Returns the number of items in the loop of a step; nil if the loop has not begun.
  ///
  /// - Parameter step: the number that the document gives to the step (its ordinal).
  func iterationCount(of step: Int) -> Int?
  /// Returns the context in which an expression refers to the results of one item of a step's loop.
  ///
  /// - Parameters:
  ///   - index: the index of the item in the loop, from 0.
  ///   - step: the number that the document gives to the step (its ordinal). For a step of the document, this is the index in
  ///     ``Workflow/steps``. For a step of another document, it is the index in ``Workflow/foreignSteps`` plus the count of
  ///     ``Workflow/steps``.
  func iteration(_ index: Int, of step: Int) -> any EvaluationContext
  /// The response for the evaluation of an `expect` or `extract`; nil for an expression in any other place.
  var currentResponse: (any ResponseData)? { get }
  /// The current item of the stream that is being read; nil if no stream is being read.
  var streamItem: (any StreamItemData)? { get }
  /// The value of `item` in a loop; nil outside of a loop.
  var item: Value? { get }
  /// The value of `index` in a loop; nil outside of a loop.
  var index: Int? { get }
  /// A number that identifies the step or variable whose expressions are evaluated. It is part of the seed of generated test data, so that
  /// each step gets different data.
  var callPlace: UInt64 { get }
  /// The clock, the random numbers and the files that expressions use.
  var services: EvaluationServices { get }
  /// The registry to which evaluation adds every secret value: ``EvaluationServices/secrets``.
  var secretRegistry: any SecretRegistry { get }
}

extension EvaluationContext {
  /// Default implementation: returns the registry of ``services``.
  public var secretRegistry: any SecretRegistry { services.secrets }
  /// Default implementation: returns nil, since the context has no inputs.
  public func input(_ index: Int) throws(EvaluationError) -> Value? { nil }
  /// Default implementation: returns 0. A context that evaluates the expressions of several steps or variables must return a different
  /// number for each of them.
  public var callPlace: UInt64 { 0 }
  /// Default implementation: returns nil, since the context has no loops.
  public func iterationCount(of step: Int) -> Int? { nil }
  /// Default implementation: returns this context itself, which is sufficient for a context without loops.
  public func iteration(_ index: Int, of step: Int) -> any EvaluationContext { self }
  /// Default implementation: returns nil, since no step of the context listens.
  public func address(of step: Int) -> Value? { nil }
  /// Default implementation: returns nil, since the context uses no other documents.
  public func context(ofAuthentication index: Int) -> (any EvaluationContext)? { nil }
  /// Default implementation: nil, since no stream is being read.
  public var streamItem: (any StreamItemData)? { nil }
  /// Default implementation: returns nil, since the context has no tokens.
  public func authentication(_ index: Int, _ member: AuthMember) -> Value? { nil }
}
