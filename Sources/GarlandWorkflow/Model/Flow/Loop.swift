/// The loop that makes a step run once for each of several items, side by side: `for_each`, `rows`
/// or `matrix`.
public final class Loop: Sendable {
  /// The source of the items.
  public enum Source: Sendable {
    /// `for_each:`: the items of a list.
    case list(ValueTemplate)
    /// `rows:`: the rows of a file.
    case rows(FileTemplate, RowsFormat?)
    /// `matrix:`: every combination of the values of these names; the last name changes fastest.
    case matrix([(name: Located<String>, values: ValueTemplate)])
  }

  /// The source of the items.
  public let source: Source
  /// The key as the document writes it: `for_each`, `rows` or `matrix`.
  public let key: Located<String>
  /// `limit:`: how many items may be at work at once. Without one, as many as there are slots.
  public let limit: Setting<Int>?
  /// `label:`: the name of an item in reports. Without one, the item itself.
  public let label: Template?

  init(source: Source, key: Located<String>, limit: Setting<Int>?, label: Template?) {
    self.label = label
    self.source = source
    self.key = key
    self.limit = limit
  }
}
