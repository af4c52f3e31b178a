import GarlandDiagnostics

/// The action of a step. There is a case for each kind of step.
///
/// Code that depends on the kind of a step switches over this value, so that the compiler reports each place that must be extended for a
/// new kind.
public enum StepAction: Sendable {
  /// Sends a request and receives a response.
  case request(RequestTemplate)
  /// Fills in an HTML form and submits it. The form determines the method and the URL of the request. The template provides the other
  /// settings, such as header fields; its method and URL are only shown in reports.
  indirect case submit(SubmitTemplate, RequestTemplate)
  /// Opens a WebSocket connection with the request, and exchanges messages over the connection.
  indirect case websocket(TalkTemplate, RequestTemplate)
  /// Waits until the host of the request's URL is reachable. The request is not sent; its method is only shown in reports.
  indirect case reach(ReachTemplate, RequestTemplate)
  /// Waits for an incoming request at the path of the template's URL. No request is sent; the template's method is only shown in reports.
  indirect case listen(ListenTemplate, RequestTemplate)
  /// Runs another document.
  indirect case call(CallTemplate)

  /// The request of the step, with the settings of the connection; nil if the step calls a document.
  public var request: RequestTemplate? {
    switch self {
    case .request(let request), .submit(_, let request), .websocket(_, let request), .reach(_, let request), .listen(_, let request):
      request
    case .call: nil
    }
  }

  /// Whether the step waits for a request instead of sending one. Its expectations then check the received request.
  public var isListening: Bool {
    switch self {
    case .listen: true
    case .request, .submit, .websocket, .reach, .call: false
    }
  }

  /// Whether the step has a response or a received request, which expectations and extracts can read. False for a call, which has the
  /// outputs of its document instead.
  var hasResponse: Bool {
    switch self {
    case .request, .submit, .websocket, .listen: true
    case .reach, .call: false
    }
  }

  /// Whether the step contacts a server. False if it listens for a request, or calls a document.
  public var isRequest: Bool {
    switch self {
    case .request, .submit, .websocket, .reach: true
    case .listen, .call: false
    }
  }

  /// The step's request, if the document contains the URL of the request. Nil if the step sends no request, or if an HTML form determines
  /// the URL.
  public var addressed: RequestTemplate? {
    switch self {
    case .request(let request), .websocket(_, let request): request
    case .submit, .reach, .listen, .call: nil
    }
  }

  /// The word for the action in reports and drawings: the method of the request, `websocket` or `call`.
  public var verb: String {
    switch self {
    case .request(let request), .submit(_, let request), .reach(_, let request), .listen(_, let request): request.method.value
    case .websocket: "websocket"
    case .call: "call"
    }
  }

  /// The key of an action other than a plain request, such as `submit` or `websocket`, and a source range for diagnostics about the action.
  /// Nil for a plain request, and for a call of another document.
  package var kind: (key: String, range: SourceRange)? {
    switch self {
    case .request, .call: nil
    case .submit(let form, _): ("submit", form.formRange)
    case .websocket(let talk, _): ("websocket", talk.range)
    case .reach(_, let request): ("reach", request.url.range)
    case .listen(_, let request): ("listen", request.url.range)
    }
  }

  /// The status that a step must receive if it has no expectation for the status. `otherwise` is the help in the error for any other
  /// status. Nil if such a step accepts any status from 200 to 299.
  package var defaultStatus: (code: Int, otherwise: String)? {
    switch self {
    case .websocket: (101, StreamFormat.messages.absence)
    case .request, .submit, .reach, .listen, .call: nil
    }
  }

  /// A sentence, without a full stop, about the part of this action that the step's curl command cannot perform; nil if the command
  /// performs the whole action.
  package var limitOfCurl: String? {
    switch self {
    case .websocket: "curl opens the WebSocket connection and shows the messages of the server, but does not send the messages of `talk`"
    case .request, .submit, .reach, .listen, .call: nil
    }
  }

  /// Returns the reason why a step with this action has no curl command, with advice; nil if it has one.
  ///
  /// - Parameter id: the id of the step.
  package func refusalOfCurl(step id: String) -> (words: String, help: String)? {
    switch self {
    case .reach: ("the step `\(id)` sends no request: it waits for a host", "to check whether a host is reachable, use `garland reach`")
    case .listen:
      (
        "the step `\(id)` sends no request: it waits for a request",
        "name the step that sends the request, and give the URL with `--var \(id).url=…`"
      )
    // The request of a call is refused where it is built.
    case .request, .submit, .websocket, .call: nil
    }
  }

  /// The expectations for the items of a stream or for WebSocket messages. `path` is the path of the key that contains the expectation,
  /// such as `events.each`.
  package var expectationsOfItems: [(path: String, expectation: Expectation)] {
    switch self {
    case .request(let request), .submit(_, let request):
      request.stream.map { stream in stream.each.map { ("\(stream.format.rawValue).each", $0) } } ?? []
    case .websocket(let talk, _): talk.expectations
    case .reach, .listen, .call: []
    }
  }

  /// The extracts that get their values from the received WebSocket messages; nil for a step that opens no WebSocket connection.
  var extractionsOfItems: [Extraction]? {
    switch self {
    case .websocket(let talk, _): talk.extractions.map(\.ofItem)
    case .request, .submit, .reach, .listen, .call: nil
    }
  }

  /// The kind of this step, which determines the members that expressions can use after the step's id.
  var owner: ResponseMember.Owner {
    switch self {
    case .listen: .listening
    case .websocket: .stream(.messages)
    case .request(let request), .submit(_, let request): request.stream.map { .stream($0.format) } ?? .request
    case .reach, .call: .request
    }
  }

  /// Returns whether the step's URL begins literally with the given scheme, such as `file`. A scheme from an expression does not count: the
  /// value of the expression may come from a server, which must not get access to this machine's files.
  package func writes(_ scheme: OtherScheme) -> Bool {
    guard case .request(let request) = self, case .literal(let start)? = request.url.pieces.first else { return false }
    return OtherScheme(of: start) == scheme
  }
}

/// A document that runs as one step of another document, from the key `call:`.
public struct CallTemplate: Sendable {
  /// The called document.
  public let workflow: Workflow
  /// The path of the called document, as written in the calling document.
  public let path: Located<String>
  /// The values of the called document's inputs, from the key `with:`. `input` is an index of ``Workflow/inputs``.
  public let inputs: [(input: Int, value: ValueTemplate)]
  /// The steps of other documents (``Workflow/foreignSteps``) on which the called document depends, as ordinals (indexes) in the calling
  /// document. Each of these steps runs once, before the call.
  public let sharedSteps: [Int]

  init(workflow: Workflow, path: Located<String>, inputs: [(input: Int, value: ValueTemplate)], sharedSteps: [Int]) {
    self.workflow = workflow
    self.path = path
    self.inputs = inputs
    self.sharedSteps = sharedSteps
  }
}

/// The setting that makes a step wait for a request instead of sending one, from the key `listen:`.
public struct ListenTemplate: Sendable {
  /// The default time limit for the arrival of the request: 30 s.
  public static let defaultLimit = Duration.seconds(30)

  /// The time limit for the arrival of the request, from the key `within:`.
  public let within: Setting<Duration>?
}

/// The setting, from the key `reach:`, of a step that sends no request and only waits until a host is reachable.
public struct ReachTemplate: Sendable {
  /// The default time limit for waiting until the host is reachable: 30 s.
  public static let defaultLimit = Duration.seconds(30)

  /// The time limit for waiting, from the key `within:`.
  public let within: Setting<Duration>?
}
