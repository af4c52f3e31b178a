public import GarlandDiagnostics

/// `paginate:`: asking for page after page; lists that are extracted become one.
public struct Pagination: Sendable {
  /// The maximal number of pages without a `limit`. A server whose last page points to itself must
  /// not keep a run going for ever.
  public static let defaultLimit = 1000

  /// The source of the next page's URL.
  public enum Next: Sendable {
    /// An expression; undefined, null or empty on the last page.
    case expression(Template)
    /// The changes from this page's request to the next; on the last page, a value in them is
    /// undefined, null or empty.
    indirect case request(PageTemplate)
    /// The `Link` header with `rel="next"` (RFC 8288).
    case link
  }

  /// The source of the next page's URL.
  public var next: Next
  /// `while:`: goes on only while this is true.
  public var condition: Setting<Bool>?
  /// `limit:`: how many pages are asked for at most, without complaint.
  public var limit: Setting<Int>?
  /// Its place in the document.
  public var range: SourceRange

  init(next: Next, at range: SourceRange) {
    self.next = next
    self.range = range
  }
}

/// `paginate.next` as a mapping: the changes to the request for the next page.
public struct PageTemplate: Sendable {
  /// `url:`: absolute or relative to this page; the same if it is not said.
  public internal(set) var url: Template?
  /// `query:`: parameters that replace those with the same names, or are added.
  public internal(set) var query: ParametersTemplate?
  /// `headers:`, the same of header fields.
  public internal(set) var headers: [HeaderTemplate] = []
  /// `json:`: members to put over those of the JSON body.
  public internal(set) var json: ValueTemplate?
  /// `form:`: parameters that replace those of the body with the same names, or are added.
  public internal(set) var form: ParametersTemplate?
}
