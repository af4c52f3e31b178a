public import GarlandDiagnostics
public import GarlandJSON

/// An expectation about a response.
public final class Expectation: Sendable {
  /// The checked part of the response, and its predicates.
  public enum Check: Sendable {
    /// `status:` as codes and ranges, of which at least one must match.
    case status([Setting<StatusPattern>])
    /// `status:` with predicates for the code as a number.
    case statusPredicates([Predicate])
    /// `type:` as media types, possibly with wildcards, of which at least one must match.
    case type([Setting<MediaTypePattern>])
    /// `type:` with predicates for the field's whole value.
    case typePredicates([Predicate])
    /// `headers: {NAME: …}`: predicates for the field's value, or for the list of its values if the field is repeated.
    case header(String, [Predicate])
    /// `cookies: {NAME: …}`: predicates for the cookie's value.
    case cookie(String, [Predicate])
    /// `cookies: {NAME: {FACT: …}}`: predicates for an attribute of the cookie.
    indirect case cookieFact(String, CookieFact, [Predicate])
    /// `json: {PATH: …}`: predicates for the value of a singular path, or for the list of values of any other path.
    case json(JSONPath, [Predicate])
    /// `xpath: {PATH: …}`: predicates for the nodes that the XPath selects, or for its value.
    indirect case xpath(XPath, [Predicate])
    /// `plist: {PATH: …}`: like `json`, for a body that is a property list.
    case plist(JSONPath, [Predicate])
    /// `first_bytes:` as byte sequences. The body must begin with one of these sequences.
    indirect case firstBytes([Setting<BytesText>])
    /// `first_bytes:` with predicates for the first bytes as hexadecimal text.
    indirect case firstBytesPredicates([Predicate])
    /// `body:`: predicates for the body as text.
    case body([Predicate])
    /// `schema:`: a JSON Schema for the body.
    indirect case schema(SchemaTemplate)
    /// `time:`: predicates for the time in seconds.
    case time([Predicate])
    /// `events:` or `lines:`: predicates for the items of a stream.
    indirect case items(StreamFormat, [Predicate])
    /// `time_to_first_event:` or `time_to_first_line:`: predicates for the time in seconds.
    indirect case timeToFirstItem(StreamFormat, [Predicate])
    /// Predicates for a text member of a stream's item.
    indirect case item(StreamItemMember, [Predicate])
    /// `size:`: predicates for the size in bytes.
    case size([Predicate])
    /// `sha256:`: the digest of the body's bytes.
    indirect case sha256(DigestTemplate)
    /// `redirects:`: predicates for the number of redirects that were followed.
    case redirects([Predicate])
    /// `url:`: predicates for the final URL, after redirects.
    case url([Predicate])
    /// `version:`: predicates for the HTTP version, `1.1` or `2`.
    case version([Predicate])
    /// `tls: {FACT: …}`: predicates for a property of the connection's certificate or of TLS.
    indirect case tls(TLSFact, [Predicate])
    /// `snapshot:`: a stored body to which the body must be equal.
    indirect case snapshot(SnapshotTemplate)
    /// `method:`: predicates for the method of a received request.
    indirect case method([Predicate])
    /// `query: {NAME: …}`: predicates for a parameter of a received request, or for the list of its values if it is repeated.
    indirect case query(String, [Predicate])
    /// A check of a header, a cookie or a parameter with a computed name. The contained check has the text of the expression as its name.
    indirect case named(Template, Check)
    /// `error:`: the request must fail, without a response, for the given reason.
    indirect case error(ErrorTemplate)
    /// `that:`: a condition that must be true.
    indirect case that(Setting<Bool>)
  }

  /// The checked part of the response, and its predicates.
  public let check: Check
  /// The place of the key, such as `status`, a header's name or a JSONPath. For a condition of `that:`, the place of the condition.
  public let keyRange: SourceRange
  /// The place of the expected value.
  public let range: SourceRange
  /// Whether the expectation is inherited from `defaults:`, instead of written in the step.
  public let isDefault: Bool

  init(check: Check, keyRange: SourceRange, range: SourceRange, isDefault: Bool) {
    self.check = check
    self.keyRange = keyRange
    self.range = range
    self.isDefault = isDefault
  }
}

extension Expectation {
  /// Returns this expectation for a header, cookie or parameter with another name.
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
