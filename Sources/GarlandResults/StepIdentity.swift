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
  /// Method and URL as the document writes them, such as `GET /books/${create.id}`.
  public let action: String
  /// Whether it sends a request itself, and does not call another document.
  public let isRequest: Bool
  /// Whether it runs whatever happened: `always` or `cleanup`.
  public let isCleanup: Bool

  /// Every property is a parameter; see there.
  public init(
    index: Int, id: String, file: String, workflow: String, summary: String?, tags: [String], range: SourceRange, action: String,
    isCleanup: Bool, isRequest: Bool = true
  ) {
    self.isRequest = isRequest
    self.index = index
    self.id = id
    self.file = file
    self.workflow = workflow
    self.summary = summary
    self.tags = tags
    self.range = range
    self.action = action
    self.isCleanup = isCleanup
  }
}
