import GarlandDiagnostics

/// The identity of a step in a run.
public final class StepIdentity: Sendable {
  /// The step's position in the plan, from 0: file by file, in file order.
  public let index: Int
  /// The step's id in its document.
  public let id: String
  /// The document of the step, by the name that the user wrote.
  public let file: String
  /// The workflow's `name`; without one, its file name without extension.
  public let workflow: String
  /// The workflow's `name`; nil if it has none.
  package var workflowName: String? {
    let file = file.utf8.split(separator: UInt8(ascii: "/")).last ?? []
    let stem = file.lastIndex(of: UInt8(ascii: ".")).map { $0 > file.startIndex ? file[..<$0] : file } ?? file
    return workflow.isEmpty || workflow.utf8.elementsEqual(stem) ? nil : workflow
  }
  /// The `description` of the step.
  public let summary: String?
  /// The `tags` of the step.
  public let tags: [String]
  /// The place of the step's id.
  public let range: SourceRange
  /// Method and URL as written in the document, such as `GET /books/${create.id}`, with the values of variables inserted.
  public var action: String { verb.isEmpty ? target : "\(verb) \(target)" }
  private let verb: String
  private let target: String
  /// Whether ``action`` contains only a path instead of a URL.
  package var isRelative: Bool { target.utf8.first == UInt8(ascii: "/") }
  /// Whether the step sends a request itself, instead of calling another document.
  public let isRequest: Bool
  /// Whether the step runs even if others fail: because of `always` or `cleanup`.
  public let isCleanup: Bool
  /// The loop's `limit`: the maximum number of items that run at the same time. Nil without a limit, and if its value is known only during
  /// the run.
  package let loopLimit: Int?
  /// The quarantine of the step, by which its failures do not count; nil without one.
  public let quarantine: Quarantine?
  /// The likely width of the iterations' names, in columns; 0 without a loop.
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

  /// Creates an identity with both parts of the action. They are joined only when ``action`` is read.
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
    self.target = target
    self.isCleanup = isCleanup
  }
}
