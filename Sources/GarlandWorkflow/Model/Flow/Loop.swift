/// The loop of a step, which runs the step once for each of several items, in parallel: `for_each`, `rows` or `matrix`.
public final class Loop: Sendable {
  /// The source of the items.
  public enum Source: Sendable {
    /// `for_each:`: the items of a list.
    case list(ValueTemplate)
    /// The rows of a file, in the given format: `rows:`. If the format is nil, it follows from the file's extension.
    case rows(FileTemplate, RowsFormat?)
    /// `matrix:`: every combination of the values of these names; the last name changes fastest.
    case matrix([(name: Located<String>, values: ValueTemplate)])
  }

  /// The source of the items.
  public let source: Source
  /// The key as the document writes it: `for_each`, `rows` or `matrix`.
  public let key: Located<String>
  /// `limit:`: the maximum number of items that run at the same time. If nil, only the concurrency of the run limits it.
  public let limit: Setting<Int>?
  /// `label:`: the name of an item in reports. If nil, the item itself is its name.
  public let label: Template?
  /// The number of items, or nil if it is known only during a run: because of a step, a secret, an input or the environment.
  public let itemCount: Int?

  init(source: Source, key: Located<String>, limit: Setting<Int>?, label: Template?, itemCount: Int?) {
    self.label = label
    self.itemCount = itemCount
    self.source = source
    self.key = key
    self.limit = limit
  }
}
