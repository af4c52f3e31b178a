/// The values that expressions can use while a step runs. The runner has a context for every
/// running step; variables, steps and secrets are known by their index, as the decoded ``Workflow``
/// has them.
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
  /// Returns a member of a token; nil if there is none.
  ///
  /// - Parameters:
  ///   - index: an index of ``Workflow/authentications``.
  ///   - member: the member.
  func authentication(_ index: Int, _ member: AuthMember) -> Value?
  /// Returns the context of an entry of `auth` that another document declares; nil for one of this document.
  ///
  /// - Parameter index: an index of ``Workflow/authentications``.
  func context(ofAuthentication index: Int) -> (any EvaluationContext)?
  /// Returns a value that a step extracted; nil if there is none.
  ///
  /// - Parameters:
  ///   - index: an index of its ``Step/extractions``.
  ///   - step: its ordinal.
  func extracted(_ index: Int, of step: Int) -> Value?
  /// Returns the response of a step that has ended; nil if there is none.
  func response(of step: Int) -> (any ResponseData)?
  /// Why a step gave nothing, for the message of an undefined value: "it was skipped".
  func absence(of step: Int) -> String?
  /// The URL at which a step listens, of one with a loop a list; nil when it listens nowhere.
  func address(of step: Int) throws(EvaluationError) -> Value?
  /// Returns how many items the loop of a step had; nil if it has not begun.
  func iterationCount(of step: Int) -> Int?
  /// Returns this context for one item of a step with a loop.
  func iteration(_ index: Int, of step: Int) -> any EvaluationContext
  /// The response at hand, in `expect` and `extract`.
  var currentResponse: (any ResponseData)? { get }
  /// The item at hand of a stream that is being read.
  var streamItem: (any StreamItemData)? { get }
  /// `item` of a loop.
  var item: Value? { get }
  /// `index` of a loop.
  var index: Int? { get }
  /// A number that no other step or variable of the document has, for made-up data.
  var callPlace: UInt64 { get }
  /// The services from outside of the document.
  var services: EvaluationServices { get }
}

extension EvaluationContext {
  /// Nil: there are no inputs.
  public func input(_ index: Int) throws(EvaluationError) -> Value? { nil }
  /// 0: there is one place.
  public var callPlace: UInt64 { 0 }
  /// Nil: there are no loops.
  public func iterationCount(of step: Int) -> Int? { nil }
  /// The context itself: there are no loops.
  public func iteration(_ index: Int, of step: Int) -> any EvaluationContext { self }
  /// Nil: nothing listens.
  public func address(of step: Int) -> Value? { nil }
  /// Nil: there are no other documents.
  public func context(ofAuthentication index: Int) -> (any EvaluationContext)? { nil }
  /// Nil: no stream is being read.
  public var streamItem: (any StreamItemData)? { nil }
  /// Default: no token.
  public func authentication(_ index: Int, _ member: AuthMember) -> Value? { nil }
}
