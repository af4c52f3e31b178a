/// The loop of a step, from the key `for_each`, `rows` or `matrix`. The step runs once for each of several items, in parallel.
public final class Loop: Sendable {
  /// The source of a loop's items.
  public enum Source: Sendable {
    /// The items of a list, from the key `for_each:`.
    case list(ValueTemplate)
    /// The rows of a file, from the key `rows:`. If the associated format is nil, the file's extension determines the format.
    case rows(FileTemplate, RowsFormat?)
    /// All combinations of the values in several named lists, from the key `matrix:`. The value from the last list changes fastest.
    case matrix([(name: Located<String>, values: ValueTemplate)])
  }

  /// The source of the loop's items: a list, the rows of a file, or a matrix.
  public let source: Source
  /// The key of the loop as the document contains it: `for_each`, `rows` or `matrix`.
  public let key: Located<String>
  /// The maximum number of items that run at the same time, from the key `limit:`. If nil, only the concurrency of the run limits it.
  public let limit: Setting<Int>?
  /// The name of an item in reports, from the key `label:`. If nil, the item itself is its name.
  public let label: Template?
  /// The number of items; nil if it is known only during a run, because it depends on a step, a secret, an input or the environment.
  public let itemCount: Int?

  init(source: Source, key: Located<String>, limit: Setting<Int>?, label: Template?, itemCount: Int?) {
    self.label = label
    self.itemCount = itemCount
    self.source = source
    self.key = key
    self.limit = limit
  }
}
