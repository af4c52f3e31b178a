import GarlandDiagnostics

/// Which step of a run a result speaks of.
public final class StepIdentity: Sendable {
  /// Its place in the plan, from 0: file by file, in file order.
  public let index: Int
  /// Its id in the document.
  public let id: String
  /// The document it stands in, as the user named it.
  public let file: String
  /// The workflow's `name`, else its file name without extension.
  public let workflow: String
  /// Its `description`.
  public let summary: String?
  /// Its `tags`.
  public let tags: [String]
  /// Where its id stands.
  public let range: SourceRange
  /// Method and URL as the document writes them, such as `GET /books/${create.id}`, with the values of variables put in.
  public var action: String { verb.isEmpty ? target : "\(verb) \(target)" }
  private let verb: String
  private let target: String
  /// Whether ``action`` has a path only, in place of a URL.
  package var isRelative: Bool { target.utf8.first == UInt8(ascii: "/") }
  /// Whether it sends a request itself, and does not call another document.
  public let isRequest: Bool
  /// Whether it runs whatever happened: `always` or `cleanup`.
  public let isCleanup: Bool
  /// How many columns the names of its iterations are likely to take; 0 without a loop.
  package let iterationColumns: Int

  /// Every property is a parameter; see there.
  public convenience init(
    index: Int, id: String, file: String, workflow: String, summary: String?, tags: [String], range: SourceRange, action: String,
    isCleanup: Bool, isRequest: Bool = true
  ) {
    let words = action.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    self.init(
      index: index, id: id, file: file, workflow: workflow, summary: summary, tags: tags, range: range,
      verb: words.count == 2 ? words[0] : "", target: words.last ?? "", isCleanup: isCleanup, isRequest: isRequest)
  }

  /// The same with both words of the action, which are put together when somebody looks.
  package init(
    index: Int, id: String, file: String, workflow: String, summary: String?, tags: [String], range: SourceRange, verb: String,
    target: String, isCleanup: Bool, isRequest: Bool, iterationColumns: Int = 0
  ) {
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
