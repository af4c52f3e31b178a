public import GarlandDiagnostics

/// `paginate:`: requests page after page. Lists that are extracted from the pages are joined to one list.
public struct Pagination: Sendable {
  /// The maximum number of pages without a `limit`, so that a server whose last page points to itself does not keep a run going forever.
  public static let defaultLimit = 1000

  /// The source of the next page's URL.
  public enum Next: Sendable {
    /// An expression whose value is the URL of the next page. On the last page, the value is undefined, null or empty.
    case expression(Template)
    /// The changes that turn the request for this page into the request for the next page. A page is the last page if a value in
    /// these changes is undefined, null or empty.
    indirect case request(PageTemplate)
    /// The `Link` header with `rel="next"` (RFC 8288).
    case link
  }

  /// The source of the next page's URL.
  public var next: Next
  /// The condition for further pages, `while:`. Pagination stops as soon as it is false.
  public var condition: Setting<Bool>?
  /// `limit:`: the maximum number of pages. Reaching it is not an error.
  public var limit: Setting<Int>?
  /// The place of `paginate` in the document.
  public var range: SourceRange

  init(next: Next, at range: SourceRange) {
    self.next = next
    self.range = range
  }
}

/// `paginate.next` as a mapping: the changes to the request for the next page.
public struct PageTemplate: Sendable {
  /// `url:`: an absolute URL, or a URL relative to this page. If nil, the URL stays the same.
  public internal(set) var url: Template?
  /// The query parameters of the next page, `query:`. Each parameter replaces the parameter with the same name, or is added.
  public internal(set) var query: ParametersTemplate?
  /// The header fields for the next page, `headers:`. Each field replaces the field with the same name, or is added.
  public internal(set) var headers: [HeaderTemplate] = []
  /// The members of the JSON body for the next page, `json:`. Each member replaces the member with the same name, or is added.
  public internal(set) var json: ValueTemplate?
  /// The parameters in the body for the next page, `form:`. Each parameter replaces the parameter with the same name, or is
  /// added.
  public internal(set) var form: ParametersTemplate?
}
