public import GarlandDiagnostics
public import GarlandJSON

/// An expectation on a response.
public final class Expectation: Sendable {
  /// The checked part of the response, and its predicates.
  public enum Check: Sendable {
    /// `status:` as codes and ranges; any of them will do.
    case status([Setting<StatusPattern>])
    /// `status:` with predicates, on the code as a number.
    case statusPredicates([Predicate])
    /// `type:` as media types, perhaps with wildcards; any of them will do.
    case type([Setting<MediaTypePattern>])
    /// `type:` with predicates, on the field's whole value.
    case typePredicates([Predicate])
    /// `headers: {NAME: …}`, on the field's value, or the list of its values if it is repeated.
    case header(String, [Predicate])
    /// `cookies: {NAME: …}`, on the cookie's value.
    case cookie(String, [Predicate])
    /// `cookies: {NAME: {FACT: …}}`, on an attribute of the cookie.
    indirect case cookieFact(String, CookieFact, [Predicate])
    /// `json: {PATH: …}`: on the value of a singular path, on the list of values of any other.
    case json(JSONPath, [Predicate])
    /// `xpath: {PATH: …}`: on the nodes that it selects, or on the value that it gives.
    indirect case xpath(XPath, [Predicate])
    /// `plist: {PATH: …}`: as `json`, on a body that is a property list.
    case plist(JSONPath, [Predicate])
    /// `first_bytes:`: the body begins with one of these.
    indirect case firstBytes([Setting<BytesText>])
    /// `first_bytes:` with predicates, on the hexadecimal text of the first bytes.
    indirect case firstBytesPredicates([Predicate])
    /// `body:`, on the body as text.
    case body([Predicate])
    /// `schema:`, on the body as JSON.
    indirect case schema(SchemaTemplate)
    /// `time:`, in seconds.
    case time([Predicate])
    /// `events:` or `lines:`, on the items of a stream.
    indirect case items(StreamFormat, [Predicate])
    /// `time_to_first_event:` or `time_to_first_line:`, in seconds.
    indirect case timeToFirstItem(StreamFormat, [Predicate])
    /// Of an item of a stream, a part of it that is a text.
    indirect case item(StreamItemMember, [Predicate])
    /// `size:`, in bytes.
    case size([Predicate])
    /// `sha256:`, on the body's bytes.
    indirect case sha256(DigestTemplate)
    /// `redirects:`, on the number of redirects that were followed.
    case redirects([Predicate])
    /// `url:`, on the URL that answered.
    case url([Predicate])
    /// `version:`, on `1.1` or `2`.
    case version([Predicate])
    /// `tls: {FACT: …}`, on the connection's certificate and version.
    indirect case tls(TLSFact, [Predicate])
    /// `snapshot:`, on the body.
    indirect case snapshot(SnapshotTemplate)
    /// `method:`, on the method of a request that came.
    indirect case method([Predicate])
    /// `query: {NAME: …}`, on the parameter's value, or the list of its values if it is repeated, of a request that came.
    indirect case query(String, [Predicate])
    /// A check of a header, a cookie or a parameter with a computed name. In the check, the text of
    /// the expression is the name.
    indirect case named(Template, Check)
    /// `error:`: that there is no response, and why.
    indirect case error(ErrorTemplate)
    /// A condition of `that:`.
    indirect case that(Setting<Bool>)
  }

  /// The checked part of the response, and its predicates.
  public let check: Check
  /// The place of the key: `status`, a header's name, a JSONPath. Of a condition, the condition.
  public let keyRange: SourceRange
  /// The place of the expected value.
  public let range: SourceRange
  /// Whether the defaults said it, not the step.
  public let isDefault: Bool

  init(check: Check, keyRange: SourceRange, range: SourceRange, isDefault: Bool) {
    self.check = check
    self.keyRange = keyRange
    self.range = range
    self.isDefault = isDefault
  }
}

extension Expectation {
  /// Returns the same expectation of the header, cookie or parameter with another name.
  package func named(_ name: String) -> Expectation {
    func named(_ check: Check) -> Check {
      switch check {
      case .header(_, let predicates): .header(name, predicates)
      case .cookie(_, let predicates): .cookie(name, predicates)
      case .cookieFact(_, let fact, let predicates): .cookieFact(name, fact, predicates)
      case .query(_, let predicates): .query(name, predicates)
      case .named(_, let inner): named(inner)
      default: check
      }
    }
    return Expectation(check: named(check), keyRange: keyRange, range: range, isDefault: isDefault)
  }
}
