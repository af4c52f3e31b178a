/// The action of a step. There is a case for each kind of step.
///
/// This file is the only place where a kind is registered: its case, its entry in ``KindTable``, and its template in `kind` and `facts`,
/// which states the facts about the kind.
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

  /// The part of the action that only steps of its kind have. It states the facts about the kind.
  var kind: any StepKind {
    switch self {
    case .request: PlainRequest()
    case .submit(let form, _): form
    case .websocket(let talk, _): talk
    case .reach(let reach, _): reach
    case .listen(let listen, _): listen
    case .call(let call): call
    }
  }

  /// The facts about the kind that do not depend on the step. Unlike the type of ``kind``, they are found without a copy of the template.
  var facts: any StepKind.Type {
    switch self {
    case .request: PlainRequest.self
    case .submit: SubmitTemplate.self
    case .websocket: TalkTemplate.self
    case .reach: ReachTemplate.self
    case .listen: ListenTemplate.self
    case .call: CallTemplate.self
    }
  }
}

/// A table with an entry for each kind of step, such as the drivers in the runner. The compiler reports a table without the entry of a kind,
/// so that the code for a kind can be in a file of its own.
public protocol KindTable {
  /// The type of the table's entries.
  associatedtype Entry
  /// The entry of ``StepAction/request(_:)``.
  static var request: Entry { get }
  /// The entry of ``StepAction/submit(_:_:)``.
  static var submit: Entry { get }
  /// The entry of ``StepAction/websocket(_:_:)``.
  static var websocket: Entry { get }
  /// The entry of ``StepAction/reach(_:_:)``.
  static var reach: Entry { get }
  /// The entry of ``StepAction/listen(_:_:)``.
  static var listen: Entry { get }
  /// The entry of ``StepAction/call(_:)``.
  static var call: Entry { get }
}

extension KindTable {
  /// The entries of all kinds of steps.
  package static var entries: [Entry] { [request, submit, websocket, reach, listen, call] }

  /// Returns the entry of an action's kind.
  @inlinable public static func entry(for action: StepAction) -> Entry {
    switch action {
    case .request: request
    case .submit: submit
    case .websocket: websocket
    case .reach: reach
    case .listen: listen
    case .call: call
    }
  }
}
