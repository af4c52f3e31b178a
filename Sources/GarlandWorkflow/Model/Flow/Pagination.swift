public import GarlandDiagnostics

/// The setting with which a step requests the pages of a list one after another, from the key `paginate:`. If the step extracts a list from
/// each page, these lists are joined.
public struct Pagination: Sendable {
  /// The maximum number of pages if the document has no `limit`. With this limit, pagination ends even if the last page of a server refers
  /// to itself.
  public static let defaultLimit = 1000

  /// The way in which the request for the next page is determined.
  public enum Next: Sendable {
    /// An expression whose value is the URL of the next page. On the last page, the value is undefined, null or empty.
    case expression(Template)
    /// Changes that turn the request for one page into the request for the next page. If a value in the changes is undefined, null or
    /// empty, there is no next page.
    indirect case request(PageTemplate)
    /// The `Link` header field with `rel="next"` (RFC 8288).
    case link
  }

  /// The way in which the request for the next page is determined, from the key `next:`.
  public var next: Next
  /// The condition for further pages, from the key `while:`. Pagination stops as soon as the condition is false.
  public var condition: Setting<Bool>?
  /// The maximum number of pages, from the key `limit:`. It is not an error if there are more pages.
  public var limit: Setting<Int>?
  /// The source range of `paginate` in the document.
  public var range: SourceRange

  init(next: Next, at range: SourceRange) {
    self.next = next
    self.range = range
  }
}

/// The changes to the request for the next page, from the key `paginate.next` with a mapping.
public struct PageTemplate: Sendable {
  /// The URL of the next page, from the key `url:`. It is absolute, or relative to the current page. If nil, the URL stays the same.
  public internal(set) var url: Template?
  /// The query parameters to set in the request for the next page, from the key `query:`. Each parameter replaces the request's parameter
  /// with the same name, or is added to the request.
  public internal(set) var query: ParametersTemplate?
  /// The header fields for the next page, from the key `headers:`. Each field replaces the field with the same name, or is added.
  public internal(set) var headers: [HeaderTemplate] = []
  /// The members to set in the JSON body of the request for the next page, from the key `json:`. Each member replaces the body's member
  /// with the same name, or is added to the body.
  public internal(set) var json: ValueTemplate?
  /// The parameters in the body for the next page, from the key `form:`. Each parameter replaces the parameter with the same name, or is
  /// added.
  public internal(set) var form: ParametersTemplate?
}
