/// What expressions can see while a step runs. The runner has one for every step at work; variables, steps and secrets are known by their
/// index, as the decoded ``Workflow`` has them.
public protocol EvaluationContext {
  /// The value of a variable, evaluated once for the document.
  ///
  /// - Parameter index: an index of ``Workflow/variables``.
  func variable(_ index: Int) throws(EvaluationError) -> Value
  /// The value of a secret; nil when it is not set.
  ///
  /// - Parameter index: an index of ``Workflow/secrets``.
  func secret(_ index: Int) -> String?
  /// The value of an environment variable; nil when it is not set.
  ///
  /// - Parameter index: an index of ``Workflow/environmentVariables``.
  func environmentVariable(_ index: Int) -> String?
  /// The value of an input; nil when it has none.
  ///
  /// - Parameter index: an index of ``Workflow/inputs``.
  func input(_ index: Int) throws(EvaluationError) -> Value?
  /// What is known of a token; nil when there is none.
  ///
  /// - Parameters:
  ///   - index: an index of ``Workflow/authentications``.
  ///   - member: what is asked for.
  func authentication(_ index: Int, _ member: AuthMember) -> Value?
  /// What the values of an entry of `auth` see that another document declares; nil for one of this document.
  ///
  /// - Parameter index: an index of ``Workflow/authentications``.
  func context(ofAuthentication index: Int) -> (any EvaluationContext)?
  /// What a step extracted; nil when there is nothing.
  ///
  /// - Parameters:
  ///   - index: an index of its ``Step/extractions``.
  ///   - step: its ordinal.
  func extracted(_ index: Int, of step: Int) -> Value?
  /// The response of a step that has ended; nil when there is none.
  func response(of step: Int) -> (any ResponseData)?
  /// Why a step gave nothing, for the message of an undefined value: "it was skipped".
  func absence(of step: Int) -> String?
  /// The URL at which a step listens, of one with a loop a list; nil when it listens nowhere.
  func address(of step: Int) throws(EvaluationError) -> Value?
  /// How many items the loop of a step had; nil when it did not get so far.
  func iterationCount(of step: Int) -> Int?
  /// The same context in which a step with a loop is one of its items.
  func iteration(_ index: Int, of step: Int) -> any EvaluationContext
  /// The response at hand, in `expect` and `extract`.
  var currentResponse: (any ResponseData)? { get }
  /// `item` of a loop.
  var item: Value? { get }
  /// `index` of a loop.
  var index: Int? { get }
  /// What comes from outside.
  var services: EvaluationServices { get }
}

extension EvaluationContext {
  /// Nil: there are no inputs.
  public func input(_ index: Int) throws(EvaluationError) -> Value? { nil }
  /// Nil: there are no loops.
  public func iterationCount(of step: Int) -> Int? { nil }
  /// The context itself: there are no loops.
  public func iteration(_ index: Int, of step: Int) -> any EvaluationContext { self }
  /// Nil: nothing listens.
  public func address(of step: Int) -> Value? { nil }
  /// Nil: there are no other documents.
  public func context(ofAuthentication index: Int) -> (any EvaluationContext)? { nil }
  /// No token.
  public func authentication(_ index: Int, _ member: AuthMember) -> Value? { nil }
}
