import GarlandText
import HTTPTypes

/// The stored parts of a response except its body. Calculates the response's age and lifetime
/// (RFC 9111, section 4.2).
struct StoredHead: Sendable, Hashable {
  var status: Int
  var reason: String
  var version: HTTPVersion
  /// The header fields, without those that belong to the connection.
  var fields: HTTPFields
  /// The time of the request that fetched or last validated the response; seconds since 1970.
  var requestTime: Int64
  /// The arrival time of the response header, or of the header of the last validation; seconds since 1970.
  var responseTime: Int64
  /// The requests that the response matches; nil if it matches all requests for its URL.
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

  /// The maximum of an estimated lifetime: a week. If a response does not state its lifetime, the lifetime is estimated as a tenth of the
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

  /// The fields that ask the server whether the response is unchanged (RFC 9111, section 4.3.1); empty without
  /// a validator.
  var conditions: HTTPFields {
    var conditions = HTTPFields()
    if let tag = fields[values: .eTag].first { conditions[.ifNoneMatch] = tag }
    if let date = fields[values: .lastModified].first { conditions[.ifModifiedSince] = date }
    return conditions
  }

  /// Whether a 304 with the header fields `notModified` refers to this stored response (RFC 9111, section 4.3.4).
  func isMeant(by notModified: HTTPFields) -> Bool {
    if let tag = notModified[values: .eTag].first {
      guard let own = fields[values: .eTag].first else { return false }
      return Self.opaque(tag) == Self.opaque(own)
    }
    if let date = notModified[values: .lastModified].first, let own = fields[values: .lastModified].first { return date == own }
    return true
  }

  /// Whether a 200 to HEAD, with the header fields `head`, confirms this stored response to GET (RFC 9111, section 4.3.5).
  func isConfirmed(byHead head: HTTPFields) -> Bool {
    for name in [HTTPField.Name.eTag, .lastModified, .contentLength] {
      if let told = head[values: name].first, let own = fields[values: name].first, told != own { return false }
    }
    return true
  }

  private static func opaque(_ tag: String) -> Substring { tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...] }

  /// Returns a copy of this head in which the fields of a 304, or of a 200 to HEAD, replace the stored fields (RFC 9111, section 3.2).
  /// Fields that describe the stored body are kept. The entity tag is kept too, since nginx sends the tag of the uncompressed body.
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
  /// A name in ``names`` that is not a header field: it represents the credentials of the request.
  static let credentials = ":credentials"

  /// The names, in lower case and sorted, of the header fields that a later request must send with the same values, so that the stored
  /// response matches the request.
  let names: [String]
  let nonce: [UInt8]
  /// The digest of the request's values for ``names``. It is the key of the response if there are several
  /// responses for its URL.
  let digest: CacheKey
}

/// The names of the fields whose values distinguish several responses for one URL. Each response has its own
/// key.
struct Variants: Sendable, Hashable {
  let names: [String]
  let nonce: [UInt8]
}
