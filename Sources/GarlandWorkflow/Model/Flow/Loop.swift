/// What makes a step run once for each of several items, side by side: `for_each`, `rows` or `matrix`.
public final class Loop: Sendable {
  /// Where the items come from.
  public enum Source: Sendable {
    /// `for_each:`: the items of a list.
    case list(ValueTemplate)
    /// `rows:`: the rows of a file.
    case rows(FileTemplate, RowsFormat?)
    /// `matrix:`: every combination of the values of these names; the last name changes fastest.
    case matrix([(name: Located<String>, values: ValueTemplate)])
  }

  /// Where the items come from.
  public let source: Source
  /// The key as the document writes it: `for_each`, `rows` or `matrix`.
  public let key: Located<String>
  /// `limit:`: how many items may be at work at once. Without one, as many as there are slots.
  public let limit: Setting<Int>?
  /// `label:`: what an item is called in reports. Without one, what the item is.
  public let label: Template?

  init(source: Source, key: Located<String>, limit: Setting<Int>?, label: Template?) {
    self.label = label
    self.source = source
    self.key = key
    self.limit = limit
  }
}
