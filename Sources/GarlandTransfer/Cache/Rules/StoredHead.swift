import HTTPTypes

/// What is stored of a response but its body, and what follows from it about time (RFC 9111, section 4.2).
struct StoredHead: Sendable, Hashable {
  var status: Int
  var reason: String
  var version: HTTPVersion
  /// Without the fields that belong to a connection.
  var fields: HTTPFields
  /// When the request that brought it, or validated it last, was sent; seconds since 1970.
  var requestTime: Int64
  /// When its header arrived, or that of the validation.
  var responseTime: Int64
  /// For which requests it was chosen, if not for any.
  var selection: Selection?

  /// Section 5.1: how old it was when it arrived, and what has gone by since. Seconds, at least 0.
  func age(at now: Int64) -> Int64 {
    let apparent = max(0, responseTime - (date ?? responseTime))
    // Of a list the first counts, and what is no number of seconds says nothing.
    let first = fields[values: .age].first?.prefix { $0 != "," && $0 != " " && $0 != "\t" }
    let told = CacheControl.seconds(first.map(String.init)) ?? 0
    let corrected = told + max(0, responseTime - requestTime)
    // A clock that was set back must not make it younger than when it arrived.
    return max(apparent, corrected) + max(0, now - responseTime)
  }

  /// Section 4.2.1: for how many seconds of its age it is fresh. `s-maxage` is for shared caches.
  var lifetime: Int64 {
    let control = control
    if let maxAge = control.maxAge { return maxAge }
    if let expires = fields[values: .expires].first {
      // What is no date is in the past (section 5.3).
      guard let expires = HTTPDate.parse(expires, now: responseTime) else { return 0 }
      return max(0, expires - (date ?? responseTime))
    }
    guard StorageRules.isHeuristicallyCacheable(status) || control.isPublic,
      let modified = fields[values: .lastModified].first.flatMap({ HTTPDate.parse($0, now: responseTime) })
    else { return 0 }
    return min(max(0, (date ?? responseTime) - modified) / 10, Self.longestGuess)
  }

  /// A tenth of the time since it changed is a guess (section 4.2.2), and a guess is good for a week at most.
  static let longestGuess: Int64 = 7 * 86_400

  /// For how many seconds it has been stale; not positive while it is fresh.
  func staleness(at now: Int64) -> Int64 { age(at: now) - lifetime }

  func isFresh(at now: Int64) -> Bool { lifetime > age(at: now) }

  var control: CacheControl { CacheControl(fields) }

  private var date: Int64? { fields[values: .date].first.flatMap { HTTPDate.parse($0, now: responseTime) } }

  /// The header as a response from the cache has it: with its age (section 5.1).
  func served(at now: Int64) -> HTTPFields {
    var fields = fields
    fields[.age] = String(age(at: now))
    return fields
  }

  // MARK: Validation

  /// What asks the server whether it is still the same (section 4.3.1). Empty if it has nothing to go by.
  var conditions: HTTPFields {
    var conditions = HTTPFields()
    if let tag = fields[values: .eTag].first { conditions[.ifNoneMatch] = tag }
    if let date = fields[values: .lastModified].first { conditions[.ifModifiedSince] = date }
    return conditions
  }

  /// Whether a 304 speaks of this response (section 4.3.4).
  func isMeant(by notModified: HTTPFields) -> Bool {
    if let tag = notModified[values: .eTag].first {
      guard let own = fields[values: .eTag].first else { return false }
      return Self.opaque(tag) == Self.opaque(own)
    }
    if let date = notModified[values: .lastModified].first, let own = fields[values: .lastModified].first { return date == own }
    return true
  }

  /// Whether a 200 to HEAD says that this response to GET is still the current one (section 4.3.5).
  func isConfirmed(byHead head: HTTPFields) -> Bool {
    for name in [HTTPField.Name.eTag, .lastModified, .contentLength] {
      if let told = head[values: name].first, let own = fields[values: name].first, told != own { return false }
    }
    return true
  }

  private static func opaque(_ tag: String) -> Substring { tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...] }

  /// The response with what a 304, or a 200 to HEAD, says of it (section 3.2). What describes the body as it is stored stays, its tag included: nginx tells the one of
  /// the body before compression.
  func updated(by other: HTTPFields, requestTime: Int64, responseTime: Int64) -> StoredHead {
    var result = self
    result.requestTime = requestTime
    result.responseTime = responseTime
    // Its age begins anew unless the update tells one.
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
