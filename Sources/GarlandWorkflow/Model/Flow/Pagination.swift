public import GarlandDiagnostics

/// `paginate:`: asking for page after page; lists that are extracted become one.
public struct Pagination: Sendable {
  /// How many pages are asked for at most, unless `limit` says so. A server whose last page points to itself must not keep a run for ever.
  public static let defaultLimit = 1000

  /// Where the URL of the next page comes from.
  public enum Next: Sendable {
    /// An expression; undefined, null or empty on the last page.
    case expression(Template)
    /// What the next request says otherwise than that of this page; on the last page a value in it is undefined, null or empty.
    indirect case request(PageTemplate)
    /// The `Link` header with `rel="next"` (RFC 8288).
    case link
  }

  /// Where the URL of the next page comes from.
  public var next: Next
  /// `while:`: goes on only while this is true.
  public var condition: Setting<Bool>?
  /// `limit:`: how many pages are asked for at most, without complaint.
  public var limit: Setting<Int>?
  /// Where it stands in the document.
  public var range: SourceRange

  init(next: Next, at range: SourceRange) {
    self.next = next
    self.range = range
  }
}

/// `paginate.next` as a mapping: what the request of the next page says otherwise.
public struct PageTemplate: Sendable {
  /// `url:`: absolute or relative to this page; the same if it is not said.
  public internal(set) var url: Template?
  /// `query:`: parameters in place of those with the same names, or besides.
  public internal(set) var query: ParametersTemplate?
  /// `headers:`, the same of header fields.
  public internal(set) var headers: [HeaderTemplate] = []
  /// `json:`: members to put over those of the JSON body.
  public internal(set) var json: ValueTemplate?
  /// `form:`: parameters in place of those of the body with the same names, or besides.
  public internal(set) var form: ParametersTemplate?
}
