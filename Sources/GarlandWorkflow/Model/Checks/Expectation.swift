public import GarlandDiagnostics
public import GarlandJSON

/// An expectation for a response or for a received request.
public final class Expectation: Sendable {
  /// The part of the response to check, and the predicates for it. There is a case for each key of `expect`.
  public enum Check: Sendable {
    /// Codes and ranges, at least one of which must contain the status code, from the key `status:`.
    case status([Setting<StatusPattern>])
    /// Predicates for the status code as a number, from the key `status:`.
    case statusPredicates([Predicate])
    /// Media types, possibly with wildcards, at least one of which must match, from the key `type:`.
    case type([Setting<MediaTypePattern>])
    /// Predicates for the whole value of the `Content-Type` field, from the key `type:`.
    case typePredicates([Predicate])
    /// Predicates for the value of a header field, or for the list of its values if the field is repeated. From the key `headers:`.
    case header(String, [Predicate])
    /// Predicates for the value of a cookie, from the key `cookies:`.
    case cookie(String, [Predicate])
    /// Predicates for an attribute of a cookie, from the key `cookies:`.
    indirect case cookieFact(String, CookieFact, [Predicate])
    /// Predicates for the value that a JSONPath selects in the body, or for the list of values if the path can select several. From the key
    /// `json:`.
    case json(JSONPath, [Predicate])
    /// Predicates for the nodes that an XPath selects in the body, or for the value of the XPath. From the key `xpath:`.
    indirect case xpath(XPath, [Predicate])
    /// Predicates for the value or values that a JSONPath selects in a body that is a property list. From the key `plist:`.
    case plist(JSONPath, [Predicate])
    /// Byte sequences from the key `first_bytes:`. The body must begin with one of these sequences.
    indirect case firstBytes([Setting<BytesText>])
    /// Predicates for the first bytes of the body as hexadecimal text, from the key `first_bytes:`.
    indirect case firstBytesPredicates([Predicate])
    /// Predicates for the body as text, from the key `body:`.
    case body([Predicate])
    /// A JSON Schema for the body, from the key `schema:`.
    indirect case schema(SchemaTemplate)
    /// Predicates for the duration of the request in seconds, from the key `time:`.
    case time([Predicate])
    /// Predicates for the list of a stream's items, from the key of the stream's format, such as `events:` or `lines:`.
    indirect case items(StreamFormat, [Predicate])
    /// Predicates for the time until the first item of a stream, in seconds, from a key such as `time_to_first_event:`.
    indirect case timeToFirstItem(StreamFormat, [Predicate])
    /// Predicates for a text member of each stream item, such as the type of an event.
    indirect case item(StreamItemMember, [Predicate])
    /// Predicates for the size of the body in bytes, from the key `size:`.
    case size([Predicate])
    /// The expected digest of the body's bytes, from the key `sha256:`.
    indirect case sha256(DigestTemplate)
    /// Predicates for the number of redirects that were followed, from the key `redirects:`.
    case redirects([Predicate])
    /// Predicates for the final URL, after redirects, from the key `url:`.
    case url([Predicate])
    /// Predicates for the HTTP version, such as `1.1` or `2`, from the key `version:`.
    case version([Predicate])
    /// Predicates for a property of the TLS connection or of the server's certificate, from the key `tls:`.
    indirect case tls(TLSFact, [Predicate])
    /// A stored body that the response's body must equal, from the key `snapshot:`.
    indirect case snapshot(SnapshotTemplate)
    /// Predicates for the method of a received request, from the key `method:`.
    indirect case method([Predicate])
    /// Predicates for a query parameter of a received request, or for the list of its values if the parameter is repeated. From the key
    /// `query:`.
    indirect case query(String, [Predicate])
    /// A check of a header field, cookie or query parameter whose name is an expression. In the associated check, the source text of the
    /// expression is the name. During the run, ``Expectation/named(_:)`` replaces this text with the actual name.
    indirect case named(Template, Check)
    /// The errors with which the request must fail, from the key `error:`.
    indirect case error(ErrorTemplate)
    /// A condition that must be true, from the key `that:`.
    indirect case that(Setting<Bool>)
  }

  /// The part of the response to check, and the predicates for it.
  public let check: Check
  /// The source range of the expectation's key, such as `status`, the name of a header field or a JSONPath. If the key is `that`, this is
  /// the source range of the condition, which is the value of `that`.
  public let keyRange: SourceRange
  /// The source range of the expected value.
  public let range: SourceRange
  /// Whether the expectation is inherited from `defaults:`, and not written in the step.
  public let isDefault: Bool

  init(check: Check, keyRange: SourceRange, range: SourceRange, isDefault: Bool) {
    self.check = check
    self.keyRange = keyRange
    self.range = range
    self.isDefault = isDefault
  }
}

extension Expectation {
  /// Whether the expectation reads an item of a stream as JSON.
  package var readsItemJSON: Bool {
    switch check {
    case .json, .schema: return true
    case .that(let condition):
      guard case .template(let template) = condition.content, case .expression(let expression) = template.content else { return false }
      return expression.readsItemJSON
    default: return false
    }
  }

  /// Returns a copy of this expectation in which the name of its header field, cookie or query parameter is `name`.
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

/// A sequence of bytes, given as hexadecimal digits.
public struct BytesText: Sendable, Hashable {
  /// The bytes as hexadecimal digits in lower case, two digits for each byte.
  public let hex: String
}

/// The value and the attributes of a cookie in a response, as `expect.cookies` can check them.
public enum CookieFact: String, Sendable, Hashable, CaseIterable {
  /// The value of the cookie.
  case value
  /// The attribute `Path`, as the server sent it.
  case path
  /// The attribute `Domain`, in lower case and without a leading dot.
  case domain
  /// The attribute `Expires`, in the format of RFC 3339.
  case expires
  /// The attribute `Max-Age`, in seconds.
  case maxAge = "max_age"
  /// The attribute `Secure`: whether the cookie is sent only over TLS.
  case secure
  /// The attribute `HttpOnly`: whether scripts have no access to the cookie.
  case httpOnly = "http_only"
  /// The attribute `SameSite`: `Strict`, `Lax` or `None`.
  case sameSite = "same_site"

  /// The attributes of a cookie, such as `expires`: all cases except `value`, which is the cookie's value.
  static var attributes: [CookieFact] { allCases.filter { $0 != .value } }
}

/// The expected digest of a body, from `expect.sha256`.
public enum DigestTemplate: Sendable {
  /// The digest as 64 hexadecimal digits.
  case hex(Setting<DigestText>)
  /// A file whose content must have the same digest as the checked body.
  case file(FileTemplate)
}

/// The 64 hexadecimal digits of a SHA-256 digest.
public struct DigestText: Sendable, Hashable {
  /// The hexadecimal digits of the digest, in lower case.
  public let hex: String
}

/// The expectation that the body is the same as when the snapshot file was written, from `expect.snapshot`.
public struct SnapshotTemplate: Sendable {
  /// The path of the snapshot file, relative to the document. The file need not exist yet.
  public let file: Template
  /// The JSONPaths whose values are not compared, since they may differ in each run.
  public let ignored: [JSONPath]
}

/// The properties of the TLS connection and of the server's certificate that `expect.tls` can check.
public enum TLSFact: String, Sendable, Hashable, CaseIterable {
  /// The number of whole days until the certificate expires; negative if it has expired.
  case daysLeft = "days_left"
  /// The time in seconds until the certificate expires.
  case expiresIn = "expires_in"
  /// The subject of the certificate, such as `CN=example.com,O=Example`.
  case subject
  /// The issuer of the certificate.
  case issuer
  /// The list of host names for which the certificate is valid.
  case san
  /// The SHA-256 digest of the certificate.
  case fingerprint
  /// The version of TLS that the connection uses.
  case version
  /// The cipher suite that the connection uses.
  case cipher
}
