import GarlandText
import HTTPTypes

/// A stored response without its body. This type also calculates the age and the lifetime of the response (RFC 9111, section 4.2).
struct StoredHead: Sendable, Hashable {
  var status: Int
  var reason: String
  var version: HTTPVersion
  /// The header fields, without those that belong only to the connection, such as `Connection` (RFC 9111, section 3.1).
  var fields: HTTPFields
  /// The time of the request that fetched or last validated the response; seconds since 1970.
  var requestTime: Int64
  /// The time when the response's header arrived, in seconds since 1970. If 304 responses have confirmed the stored response since then,
  /// the time when the last of these responses arrived.
  var responseTime: Int64
  /// The header fields by which the cache decides whether the response fits a request; nil if the response fits all requests for its URL.
  var selection: Selection?

  /// Returns the age in seconds: the age on arrival plus the time since then (RFC 9111, section 5.1); at least
  /// 0.
  func age(at now: Int64) -> Int64 {
    let apparent = max(0, responseTime - (date ?? responseTime))
    // The first value of a list counts, and an invalid number is ignored.
    let first = fields[values: .age].first?.prefix { $0 != "," && $0 != " " && $0 != "\t" }
    let told = CacheControl.seconds(first.map(String.init)) ?? 0
    let corrected = told + max(0, responseTime - requestTime)
    // A clock that was set back must not make the response younger than on arrival.
    return max(apparent, corrected) + max(0, now - responseTime)
  }

  /// The age in seconds up to which the response is fresh (RFC 9111, section 4.2.1). `s-maxage` is ignored,
  /// since it is for shared caches only.
  var lifetime: Int64 {
    let control = control
    if let maxAge = control.maxAge { return maxAge }
    if let expires = fields[values: .expires].first {
      // An invalid date is in the past (RFC 9111, section 5.3).
      guard let expires = HTTPDate.parse(expires, now: responseTime) else { return 0 }
      return max(0, expires - (date ?? responseTime))
    }
    guard StorageRules.isHeuristicallyCacheable(status) || control.isPublic,
      let modified = fields[values: .lastModified].first.flatMap({ HTTPDate.parse($0, now: responseTime) })
    else { return 0 }
    return min(max(0, (date ?? responseTime) - modified) / 10, Self.longestGuess)
  }

  /// The maximum estimated lifetime of a stored response: a week. If a response does not state its lifetime, the estimate is a tenth of the
  /// time since the last change of the resource (RFC 9111, section 4.2.2).
  static let longestGuess: Int64 = 7 * 86_400

  /// The number of seconds since the response became stale; negative while the response is fresh.
  func staleness(at now: Int64) -> Int64 { age(at: now) - lifetime }

  func isFresh(at now: Int64) -> Bool { lifetime > age(at: now) }

  var control: CacheControl { CacheControl(fields) }

  private var date: Int64? { fields[values: .date].first.flatMap { HTTPDate.parse($0, now: responseTime) } }

  /// Returns the header of a response from the cache, with its current age (RFC 9111, section 5.1).
  func served(at now: Int64) -> HTTPFields {
    var fields = fields
    fields[.age] = String(age(at: now))
    return fields
  }

  // MARK: Validation

  /// The header fields that ask the server whether the response is unchanged (RFC 9111, section 4.3.1). They are empty if the response has
  /// no entity tag and no modification date.
  var conditions: HTTPFields {
    var conditions = HTTPFields()
    if let tag = fields[values: .eTag].first { conditions[.ifNoneMatch] = tag }
    if let date = fields[values: .lastModified].first { conditions[.ifModifiedSince] = date }
    return conditions
  }

  /// Whether a 304 response with the header fields `notModified` confirms this stored response, and not another one (RFC 9111, section
  /// 4.3.4).
  func isMeant(by notModified: HTTPFields) -> Bool {
    if let tag = notModified[values: .eTag].first {
      guard let own = fields[values: .eTag].first else { return false }
      return Self.opaque(tag) == Self.opaque(own)
    }
    if let date = notModified[values: .lastModified].first, let own = fields[values: .lastModified].first { return date == own }
    return true
  }

  /// Whether this stored response to GET is still valid, according to a later response to HEAD (RFC 9111, section 4.3.5). `head` contains
  /// the header fields of the later response, whose status is 200.
  func isConfirmed(byHead head: HTTPFields) -> Bool {
    for name in [HTTPField.Name.eTag, .lastModified, .contentLength] {
      if let told = head[values: name].first, let own = fields[values: name].first, told != own { return false }
    }
    return true
  }

  private static func opaque(_ tag: String) -> Substring { tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...] }

  /// Returns a copy of this stored head, updated with the header fields `other` of a newer response: of a 304 response, or of a 200
  /// response to a HEAD request.
  ///
  /// The new fields replace the stored fields with the same names (RFC 9111, section 3.2). Fields that describe the stored body are kept.
  /// The stored entity tag is kept too: if the stored body is compressed, nginx sends the tag of the uncompressed body in the newer
  /// response.
  func updated(by other: HTTPFields, requestTime: Int64, responseTime: Int64) -> StoredHead {
    var result = self
    result.requestTime = requestTime
    result.responseTime = responseTime
    // The age restarts unless the update has an age.
    result.fields[.age] = nil
    var replaced: Set<HTTPField.Name> = [.contentLength, .contentEncoding, .contentRange, .eTag]
    for field in StorageRules.storable(other) {
      if replaced.insert(field.name).inserted {
        result.fields[fields: field.name] = other[fields: field.name]
      }
    }
    return result
  }
}

/// The requests that a stored response matches: requests whose values of certain header fields are the same as in the original request (RFC
/// 9111, section 4.1).
///
/// The values may be credentials, so they are not stored. Only a random number, and the digest of the values together with this number, are
/// stored.
struct Selection: Sendable, Hashable {
  /// The entry of ``names`` that represents the credentials of the request, and not a header field.
  static let credentials = ":credentials"

  /// The names, in lower case and sorted, of the header fields that select the stored response. The response matches a later request only
  /// if the request has the same values of these fields.
  let names: [String]
  let nonce: [UInt8]
  /// The digest of the values that the header fields ``names`` have in the request. If the cache has several responses for one URL, each
  /// response is stored under its own digest.
  let digest: CacheKey
}

/// The names of the header fields by which a request selects one of several stored responses for its URL. Each of these responses is stored
/// under its own cache key.
struct Variants: Sendable, Hashable {
  let names: [String]
  let nonce: [UInt8]
}
