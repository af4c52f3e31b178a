import GarlandDiagnostics

/// The properties of a step that are known before the run and that identify the step in events and reports.
public final class StepIdentity: Sendable {
  /// The position of the step in the plan, from 0. Steps are ordered by document, and within a document as written.
  public let index: Int
  /// The step's id in its document.
  public let id: String
  /// The name of the step's document, as the user wrote it.
  public let file: String
  /// The `name` of the workflow. If the workflow has no name, its file name without extension.
  public let workflow: String
  /// The `name` of the workflow; nil if the workflow has no name.
  package var workflowName: String? {
    let file = file.utf8.split(separator: UInt8(ascii: "/")).last ?? []
    let stem = file.lastIndex(of: UInt8(ascii: ".")).map { $0 > file.startIndex ? file[..<$0] : file } ?? file
    return workflow.isEmpty || workflow.utf8.elementsEqual(stem) ? nil : workflow
  }
  /// The `description` of the step.
  public let summary: String?
  /// The `tags` of the step.
  public let tags: [String]
  /// The source range of the step's id.
  public let range: SourceRange
  /// The method and the URL of the step as written in the document, such as `GET /books/${create.id}`, with the values of variables
  /// inserted.
  public var action: String { verb.isEmpty ? target : "\(verb) \(target)" }
  private let verb: String
  private let target: String
  /// Whether the URL in ``action`` is only a path, without scheme and host.
  package var isRelative: Bool { target.utf8.first == UInt8(ascii: "/") }
  /// A word that reports show in place of the method of the step's requests. A kind of step that sends requests and has a word of its own
  /// in ``action`` has a case here.
  package enum Word: String, Sendable {
    case websocket
  }
  /// The word that reports show in place of the method; nil for most steps.
  package let word: Word?
  /// Returns the URL of a request with the scheme that the document uses. For the handshake of a WebSocket connection, this replaces `http`
  /// by `ws`, and `https` by `wss`, if the document has `ws` or `wss`.
  package func shown(_ url: String) -> String {
    switch word {
    case .websocket: target.lowercased().hasPrefix("ws") && url.hasPrefix("http") ? "ws" + url.dropFirst(4) : url
    case nil: url
    }
  }
  /// Whether the step itself sends a request. False for a step that calls another document.
  public let isRequest: Bool
  /// Whether the step has `always` or `cleanup`, so that it runs even if other steps fail.
  public let isCleanup: Bool
  /// The maximum number of items that run at the same time: `limit` of the loop. Nil if the loop has no limit, or if the limit is known
  /// only during the run.
  package let loopLimit: Int?
  /// The quarantine during which the step's failures do not count; nil if the step is not quarantined.
  public let quarantine: Quarantine?
  /// The estimated width of the longest name of a loop iteration or a repetition, in terminal columns; 0 for a step without such names.
  package let iterationColumns: Int

  /// Creates an identity; every property is a parameter.
  public convenience init(
    index: Int, id: String, file: String, workflow: String, summary: String?, tags: [String], range: SourceRange, action: String,
    isCleanup: Bool, isRequest: Bool = true
  ) {
    self.init(
      index: index, id: id, file: file, workflow: workflow, summary: summary, tags: tags, range: range, action: action,
      isCleanup: isCleanup, isRequest: isRequest, loopLimit: nil)
  }

  package convenience init(
    index: Int, id: String, file: String, workflow: String, summary: String?, tags: [String], range: SourceRange, action: String,
    isCleanup: Bool, isRequest: Bool, iterationColumns: Int = 0, loopLimit: Int?, quarantine: Quarantine? = nil
  ) {
    let words = action.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    self.init(
      index: index, id: id, file: file, workflow: workflow, summary: summary, tags: tags, range: range,
      verb: words.count == 2 ? words[0] : "", target: words.last ?? "", isCleanup: isCleanup, isRequest: isRequest,
      iterationColumns: iterationColumns, loopLimit: loopLimit, quarantine: quarantine)
  }

  /// Creates the identity of a step whose action is given in two parts: a verb, such as the method, and a target, such as the URL.
  package init(
    index: Int, id: String, file: String, workflow: String, summary: String?, tags: [String], range: SourceRange, verb: String,
    target: String, isCleanup: Bool, isRequest: Bool, iterationColumns: Int = 0, loopLimit: Int? = nil,
    quarantine: Quarantine? = nil
  ) {
    self.quarantine = quarantine
    self.loopLimit = loopLimit
    self.iterationColumns = iterationColumns
    self.isRequest = isRequest
    self.index = index
    self.id = id
    self.file = file
    self.workflow = workflow
    self.summary = summary
    self.tags = tags
    self.range = range
    self.verb = verb
    word = Word(rawValue: verb)
    self.target = target
    self.isCleanup = isCleanup
  }

  /// Returns the same step with another estimated width of the longest name of a loop iteration.
  func withIterationColumns(_ columns: Int) -> StepIdentity {
    StepIdentity(
      index: index, id: id, file: file, workflow: workflow, summary: summary, tags: tags, range: range, verb: verb, target: target,
      isCleanup: isCleanup, isRequest: isRequest, iterationColumns: columns, loopLimit: loopLimit, quarantine: quarantine)
  }
}

/// The quarantine of a step, during which its failures do not count: the reason and the end date.
public struct Quarantine: Sendable, Hashable {
  /// The reason for the quarantine, in one line.
  public var reason: String
  /// The last day on which failures do not count, such as `2026-12-01`.
  public var until: String

  /// Creates a quarantine; every property is a parameter.
  public init(reason: String, until: String) {
    self.reason = reason
    self.until = until
  }
}

/// Identifies a step in a run by its workflow file and its id.
package struct StepName: Hashable, Sendable {
  /// The name of the workflow file in the form that the user wrote.
  package let file: String
  /// The id of the step.
  package let id: String

  /// Creates a name from its parts.
  package init(file: String, id: String) {
    self.file = file
    self.id = id
  }

  /// Creates the name of a step.
  package init(_ step: StepIdentity) { self.init(file: step.file, id: step.id) }
}
