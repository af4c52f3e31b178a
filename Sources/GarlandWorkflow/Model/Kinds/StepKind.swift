import GarlandDiagnostics

/// A kind of step, with the facts in which kinds differ. The defaults are the facts about a plain request.
protocol StepKind: Sendable {
  /// The key that selects the kind, such as `websocket`; nil for a plain request, which is selected by its method.
  static var key: String? { get }
  /// The word for the action in reports and drawings; nil if the method of the request is that word.
  static var verb: String? { get }
  /// Whether the step contacts a server. False if it listens for a request, or calls a document.
  static var isRequest: Bool { get }
  /// Whether the step waits for a request instead of sending one. Its expectations then check the received request.
  static var isListening: Bool { get }
  /// Whether the step has a response or a received request, which expectations and extracts can read. False for a call, which has the
  /// outputs of its document instead.
  static var hasResponse: Bool { get }
  /// Whether the step sends its request to the URL in the document. False if the step sends no request, or if an HTML form determines the
  /// URL.
  static var isAddressed: Bool { get }
  /// The members that expressions can use after the step's id; nil for the members of a response.
  static var owner: ResponseMember.Owner? { get }
  /// The status that a step must receive if it has no expectation for the status. `otherwise` is the help in the error for any other
  /// status. Nil if such a step accepts any status from 200 to 299.
  static var defaultStatus: (code: Int, otherwise: String)? { get }
  /// A sentence, without a full stop, about the part of the action that the step's curl command cannot perform; nil if the command performs
  /// the whole action.
  static var limitOfCurl: String? { get }
  /// Returns the reason why a step has no curl command, with advice; nil if it has one.
  ///
  /// - Parameter id: the id of the step.
  static func refusalOfCurl(step id: String) -> (words: String, help: String)?

  /// The source range for diagnostics about the action; nil for the range of the request's URL.
  var place: SourceRange? { get }
  /// The paths of the files that the step sends, besides those in the body of its request.
  var sentFiles: [Template] { get }
  /// The expectations for items that the step receives one by one, besides those of its stream. `path` is the path of the key that contains
  /// the expectation, such as `talk[1].receive`.
  var expectationsOfItems: [(path: String, expectation: Expectation)] { get }
  /// The extracts that get their values from items that the step receives one by one.
  var extractionsOfItems: [Extraction] { get }
}

extension StepKind {
  static var verb: String? { nil }
  static var isRequest: Bool { true }
  static var isListening: Bool { false }
  static var hasResponse: Bool { true }
  static var isAddressed: Bool { true }
  static var owner: ResponseMember.Owner? { nil }
  static var defaultStatus: (code: Int, otherwise: String)? { nil }
  static var limitOfCurl: String? { nil }
  static func refusalOfCurl(step id: String) -> (words: String, help: String)? { nil }

  var place: SourceRange? { nil }
  var sentFiles: [Template] { [] }
  var expectationsOfItems: [(path: String, expectation: Expectation)] { [] }
  var extractionsOfItems: [Extraction] { [] }
}

/// A request that is selected by its method, such as `get`. Everything about it is in the ``RequestTemplate``.
struct PlainRequest: StepKind {
  static var key: String? { nil }
}

/// The facts about an action that other targets use.
extension StepAction {
  /// The word for the action in reports and drawings: the method of the request, `websocket` or `call`.
  public var verb: String { ownVerb ?? request?.method.value ?? "" }
  /// The word that stands for the action in place of the method, such as `websocket`; nil if the kind has none.
  public var ownVerb: String? { facts.verb }
  /// Whether the step waits for a request instead of sending one. Its expectations then check the received request.
  public var isListening: Bool { facts.isListening }
  /// Whether the step contacts a server. False if it listens for a request, or calls a document.
  public var isRequest: Bool { facts.isRequest }
  /// Whether the step has a response or a received request, which expectations and extracts can read.
  var hasResponse: Bool { facts.hasResponse }
  /// The step's request, if the document contains the URL of the request. Nil if the step sends no request, or if an HTML form determines
  /// the URL.
  public var addressed: RequestTemplate? { facts.isAddressed ? request : nil }
  /// The status that a step must receive if it has no expectation for the status, and the help in the error for any other status. Nil if such
  /// a step accepts any status from 200 to 299.
  package var defaultStatus: (code: Int, otherwise: String)? { facts.defaultStatus }
  /// A sentence, without a full stop, about the part of this action that the step's curl command cannot perform; nil if the command
  /// performs the whole action.
  package var limitOfCurl: String? { facts.limitOfCurl }

  /// Returns the reason why a step with this action has no curl command, with advice; nil if it has one.
  ///
  /// - Parameter id: the id of the step.
  package func refusalOfCurl(step id: String) -> (words: String, help: String)? { facts.refusalOfCurl(step: id) }

  /// The key of an action other than a plain request, such as `submit` or `websocket`, and a source range for diagnostics about the action.
  /// Nil for a plain request, and for a call of another document.
  package var ownKey: (key: String, range: SourceRange)? {
    guard let key = facts.key, let request else { return nil }
    return (key, kind.place ?? request.url.range)
  }

  /// The paths of the files that the step sends, besides those in the body of its request.
  package var sentFiles: [Template] { kind.sentFiles }
  /// The expectations for the items of a stream or for WebSocket messages. `path` is the path of the key that contains the expectation,
  /// such as `events.each`.
  package var expectationsOfItems: [(path: String, expectation: Expectation)] {
    guard let stream = request?.stream else { return kind.expectationsOfItems }
    return stream.each.map { ("\(stream.format.rawValue).each", $0) }
  }

  /// The kind of this step, which determines the members that expressions can use after the step's id.
  var owner: ResponseMember.Owner { request?.stream.map { ResponseMember.Owner.stream($0.format) } ?? facts.owner ?? .request }

  /// The form that the step submits, which determines the URL of the request; nil if the step submits no form.
  public var form: SubmitTemplate? { if case .submit(let form, _) = self { form } else { nil } }
  /// The messages that the step exchanges on a WebSocket connection; nil if the step opens none.
  public var talk: TalkTemplate? { if case .websocket(let talk, _) = self { talk } else { nil } }
  /// The call of another document; nil if the step does not call a document.
  public var call: CallTemplate? { if case .call(let call) = self { call } else { nil } }

  /// Returns whether the step's URL begins literally with the given scheme, such as `file`. A scheme from an expression does not count: the
  /// value of the expression may come from a server, which must not get access to this machine's files.
  package func writes(_ scheme: OtherScheme) -> Bool {
    guard case .request(let request) = self, case .literal(let start)? = request.url.pieces.first else { return false }
    return OtherScheme(of: start) == scheme
  }
}
