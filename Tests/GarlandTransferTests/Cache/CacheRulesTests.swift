import GarlandText
import HTTPTypes
import TestSupport
import Testing

@testable import GarlandTransfer

/// Tests the rules of RFC 9111, 5861 and 8246 with tables.
@Suite("The rules of the cache") struct CacheRulesTests {
  /// Parses one `Name: value` per line.
  static func fields(_ text: String) -> HTTPFields {
    var fields = HTTPFields()
    for line in text.split(separator: "\n") {
      guard let colon = line.firstIndex(of: ":"), let name = HTTPField.Name(String(line[..<colon])) else { continue }
      fields.append(HTTPField(name: name, value: String(line[line.index(after: colon)...].drop { $0 == " " })))
    }
    return fields
  }

  /// The time 1994-11-06 08:49:37, the example date of RFC 9110, in seconds since 1970.
  static let then: Int64 = 784_111_777
  static let date = "Date: Sun, 06 Nov 1994 08:49:37 GMT\n"

  static func head(_ text: String, status: Int = 200, requested: Int64 = then, received: Int64 = then) -> StoredHead {
    StoredHead(
      status: status, reason: "OK", version: .http1_1, fields: fields(text), requestTime: requested, responseTime: received)
  }

  // MARK: Dates

  // MARK: Directives

  @Test func `Cache-Control directives are parsed even if a value is invalid or repeated`() {
    func control(_ text: String) -> CacheControl { CacheControl(Self.fields(text)) }
    let all = control(
      "Cache-Control: Max-Age=60 , no-cache=\"a, b\",public,IMMUTABLE\nCache-Control: stale-if-error=\"5\", x=y, must-revalidate")
    #expect(all.maxAge == 60)
    #expect(all.noCache && all.isPublic && all.isImmutable && all.mustRevalidate)
    #expect(all.staleIfError == 5)
    #expect(!all.noStore && !all.isPrivate)
    // An invalid or repeated value counts as the shorter time.
    #expect(control("Cache-Control: max-age=a").maxAge == 0)
    #expect(control("Cache-Control: max-age").maxAge == 0)
    #expect(control("Cache-Control: max-age=-5").maxAge == 0)
    #expect(control("Cache-Control: max-age=1.5").maxAge == 0)
    #expect(control("Cache-Control: max-age=60, max-age=5").maxAge == 5)
    #expect(control("Cache-Control: max-age=99999999999999999999999").maxAge == 1 << 31)
    #expect(control("Cache-Control: max-stale").maxStale == .max)
    #expect(control("Cache-Control: max-stale=9").maxStale == 9)
    #expect(control("Cache-Control: max-stale=x").maxStale == 0)
    #expect(control("Cache-Control: ,,  ,max-age = 3,=,\"").maxAge == 3)
    #expect(control("Cache-Control: a=\"max-age=9").maxAge == nil)
    // RFC 9111, section 5.4.
    #expect(control("Pragma: no-cache").noCache)
    #expect(!control("Pragma: no-cache\nCache-Control: max-age=1").noCache)
  }

  // MARK: Age and freshness

  @Test(arguments: [
    ("Cache-Control: max-age=60", 60), ("Cache-Control: s-maxage=60", 0), ("Cache-Control: max-age=60, s-maxage=1", 60),
    ("Expires: Sun, 06 Nov 1994 08:51:37 GMT", 120), ("Expires: Sun, 06 Nov 1994 08:40:37 GMT", 0), ("Expires: 0", 0), ("Expires:", 0),
    ("Expires: Sun, 06 Nov 1994 08:51:37 GMT\nCache-Control: max-age=7", 7), ("", 0),
    // A tenth of ten days; a tenth of ten years is limited to a week.
    ("Last-Modified: Thu, 27 Oct 1994 08:49:37 GMT", 86_400), ("Last-Modified: Sat, 06 Nov 1984 08:49:37 GMT", 604_800),
    ("Last-Modified: Mon, 07 Nov 1994 08:49:37 GMT", 0), ("Last-Modified: yesterday", 0),
    ("Expires: 0\nLast-Modified: Thu, 27 Oct 1994 08:49:37 GMT", 0),
  ])
  func `the lifetime of a response is taken from max-age, or else from Expires or Last-Modified`(_ fields: String, _ expected: Int64) {
    #expect(Self.head(Self.date + fields).lifetime == expected)
  }

  @Test func `Last-Modified gives a 404 response a lifetime in the cache, and a 302 response only if Cache-Control contains 'public'`() {
    let modified = Self.date + "Last-Modified: Thu, 27 Oct 1994 08:49:37 GMT\n"
    #expect(Self.head(modified, status: 404).lifetime == 86_400)
    #expect(Self.head(modified, status: 302).lifetime == 0)
    #expect(Self.head(modified + "Cache-Control: public", status: 302).lifetime == 86_400)
  }

  /// The age is calculated as in RFC 9111, section 4.2.3.
  @Test func `the age of a response is computed from its Age and Date fields and from the time since its arrival`() {
    #expect(Self.head(Self.date).age(at: Self.then + 5) == 5)
    // The age from a cache on the way, plus the duration of the request.
    #expect(Self.head(Self.date + "Age: 100", requested: Self.then - 3).age(at: Self.then + 5) == 108)
    // The server's date is older.
    #expect(Self.head(Self.date + "Age: 1", requested: Self.then + 40, received: Self.then + 50).age(at: Self.then + 60) == 60)
    // A server's clock that is ahead, a clock that was set back, and invalid ages.
    #expect(Self.head("Date: Sun, 06 Nov 1994 09:49:37 GMT").age(at: Self.then) == 0)
    #expect(Self.head(Self.date).age(at: Self.then - 500) == 0)
    #expect(Self.head(Self.date + "Age: -7").age(at: Self.then) == 0)
    #expect(Self.head(Self.date + "Age: 7, 3").age(at: Self.then) == 7)
    #expect(Self.head(Self.date + "Age: 99999999999999999999").age(at: Self.then) == 1 << 31)
    #expect(Self.head("Date: Thu, 01 Jan 1970 00:00:00 GMT").age(at: Self.then) == Self.then)
    #expect(Self.head("Date: nonsense").age(at: Self.then + 3) == 3)
    #expect(Self.head("").age(at: Self.then + 9) == 9)
  }

  // MARK: Decisions

  static let validators = "ETag: \"a\"\nLast-Modified: Thu, 27 Oct 1994 08:49:37 GMT\n"

  /// The columns are the request, the response, the seconds since its arrival, and the decision.
  @Test(arguments: [
    ("", "Cache-Control: max-age=60", 59, "fresh"), ("", "Cache-Control: max-age=60", 60, "revalidate"),
    ("", "Cache-Control: max-age=60, must-revalidate", 59, "fresh"), ("", "Cache-Control: max-age=60, no-cache", 0, "revalidate"),
    ("", "Cache-Control: max-age=60, immutable", 61, "revalidate"), ("", "Cache-Control: max-age=60, stale-if-error=60", 61, "revalidate"),
    ("Cache-Control: no-cache", "Cache-Control: max-age=60", 1, "revalidate"),
    ("Pragma: no-cache", "Cache-Control: max-age=60", 1, "revalidate"),
    ("Cache-Control: no-cache", "Cache-Control: max-age=60, immutable", 1, "revalidate"),
    ("Cache-Control: no-store", "Cache-Control: max-age=60", 1, "fresh"),
    ("Cache-Control: max-age=10", "Cache-Control: max-age=60", 10, "fresh"),
    ("Cache-Control: max-age=10", "Cache-Control: max-age=60", 11, "revalidate"),
    ("Cache-Control: max-age=0", "Cache-Control: max-age=60", 1, "revalidate"),
    // RFC 8246: an immutable response is not requested again while it is fresh.
    ("Cache-Control: max-age=0", "Cache-Control: max-age=60, immutable", 1, "fresh"),
    ("Cache-Control: max-age=0", "Cache-Control: max-age=60, immutable", 60, "revalidate"),
    ("Cache-Control: min-fresh=20", "Cache-Control: max-age=60", 40, "fresh"),
    ("Cache-Control: min-fresh=20", "Cache-Control: max-age=60", 41, "revalidate"),
    ("Cache-Control: max-stale", "Cache-Control: max-age=60", 6000, "stale"),
    ("Cache-Control: max-stale=5", "Cache-Control: max-age=60", 65, "stale"),
    ("Cache-Control: max-stale=5", "Cache-Control: max-age=60", 66, "revalidate"),
    ("Cache-Control: max-stale", "Cache-Control: max-age=60, must-revalidate", 61, "revalidate"),
    ("Cache-Control: max-stale", "Cache-Control: max-age=60, no-cache", 1, "revalidate"),
    ("Cache-Control: max-age=10, max-stale=100", "Cache-Control: max-age=60", 80, "stale"),
    ("Cache-Control: only-if-cached", "Cache-Control: max-age=60", 59, "fresh"),
    ("Cache-Control: only-if-cached", "Cache-Control: max-age=60", 61, "fail"),
    ("Cache-Control: only-if-cached, max-stale", "Cache-Control: max-age=60", 61, "stale"),
  ])
  func `cache directives of the request and the response decide how a stored response is used`(
    _ request: String, _ response: String, _ seconds: Int64, _ expected: String
  ) {
    let query = CacheQuery(fields: Self.fields(request))
    let stored = Self.head(Self.date + Self.validators + response)
    #expect(Self.word(query.decision(on: stored, at: Self.then + seconds)) == expected, "\(request) | \(response) | \(seconds)")
  }

  static func word(_ decision: CacheDecision) -> String {
    switch decision {
    case .serve(isStale: false): "fresh"
    case .serve(isStale: true): "stale"
    case .revalidate: "revalidate"
    case .fetch: "fetch"
    case .fail: "fail"
    }
  }

  @Test func `the cache policy of a request decides whether a stored response is used, revalidated or ignored`() {
    let fresh = Self.head(Self.date + "Cache-Control: max-age=60")
    let stale = Self.head(Self.date + Self.validators + "Cache-Control: max-age=1, must-revalidate")
    let table: [(CachePolicy, StoredHead?, String)] = [
      (.useProtocol, nil, "fetch"), (.useProtocol, fresh, "fresh"), (.useProtocol, stale, "revalidate"), (.reload, fresh, "fetch"),
      (.reload, nil, "fetch"), (.returnCacheElseLoad, nil, "fetch"), (.returnCacheElseLoad, fresh, "fresh"),
      (.returnCacheElseLoad, stale, "stale"), (.returnCacheOnly, nil, "fail"), (.returnCacheOnly, fresh, "fresh"),
      (.returnCacheOnly, stale, "stale"),
    ]
    for (policy, stored, expected) in table {
      #expect(Self.word(CacheQuery(policy: policy).decision(on: stored, at: Self.then + 30)) == expected, "\(policy)")
    }
    #expect(CacheQuery(fields: Self.fields("Cache-Control: only-if-cached")).decision(on: nil, at: 0) == .fail)
    // A stale response without a validator.
    #expect(CacheQuery().decision(on: Self.head(Self.date + "Cache-Control: max-age=1"), at: Self.then + 2) == .fetch)
    #expect(
      CacheQuery().decision(on: stale, at: Self.then + 2)
        == .revalidate(Self.fields("If-None-Match: \"a\"\nIf-Modified-Since: Thu, 27 Oct 1994 08:49:37 GMT")))
  }

  /// The rules are those of RFC 5861, section 4.
  @Test(arguments: [
    ("", "Cache-Control: max-age=60, stale-if-error=10", 70, true), ("", "Cache-Control: max-age=60, stale-if-error=10", 71, false),
    ("", "Cache-Control: max-age=60", 61, false), ("Cache-Control: stale-if-error=10", "Cache-Control: max-age=60", 70, true),
    ("", "Cache-Control: max-age=60, stale-if-error=10, must-revalidate", 61, false),
    ("", "Cache-Control: max-age=60, stale-if-error=10, no-cache", 1, false),
    ("Cache-Control: no-cache", "Cache-Control: max-age=60, stale-if-error=10", 1, false),
    ("Cache-Control: max-age=5", "Cache-Control: max-age=60, stale-if-error=10", 7, true),
  ])
  func `the directive stale-if-error decides how long a stale response may be used instead of an error`(
    _ request: String, _ response: String, _ seconds: Int64, _ expected: Bool
  ) {
    let query = CacheQuery(fields: Self.fields(request))
    #expect(query.mayStandIn(Self.head(Self.date + response), at: Self.then + seconds) == expected)
  }

  @Test func `with stale-if-error, only server errors and network errors allow the use of a stale response`() {
    #expect([500, 502, 503, 504].allSatisfy(CacheQuery.isFailure))
    #expect(![200, 304, 404, 429, 501, 505].contains(where: CacheQuery.isFailure))
    #expect(CacheQuery.isFailure(.refused(host: "h", port: 1)))
    #expect(CacheQuery.isFailure(.timeout(.init(limit: .idle, phase: .receiving, duration: .seconds(1)))))
    #expect(!CacheQuery.isFailure(.timeout(.init(limit: .deadline, phase: .receiving, duration: .seconds(1)))))
    #expect(!CacheQuery.isFailure(.cancelled))
    #expect(!CacheQuery.isFailure(.tls(.untrusted, detail: "")))
  }

  // MARK: Storing

  @Test(arguments: [
    (200, "", "", true), (200, "Cache-Control: no-store", "", false), (200, "Cache-Control: max-age=1, no-store", "", false),
    (200, "Cache-Control: private", "", true), (200, "Cache-Control: no-cache", "", true), (200, "", "Cache-Control: no-store", false),
    (200, "Vary: *", "", false), (200, "Vary: accept, *", "", false), (200, "Vary: accept", "", true),
    (206, "Cache-Control: max-age=9", "", false),
    (304, "Cache-Control: max-age=9", "", false), (301, "", "", true), (302, "", "", false), (302, "Cache-Control: max-age=9", "", true),
    (302, "Expires: Sun, 06 Nov 1994 08:51:37 GMT", "", true), (307, "Cache-Control: public", "", true), (404, "", "", true),
    (500, "", "", false),
    (500, "Cache-Control: max-age=9", "", true), (200, "", "Authorization: x", true),
    (599, "Cache-Control: max-age=9, must-understand", "", false),
    (200, "Cache-Control: must-understand, no-store", "", true),
  ])
  func `a response's status, Cache-Control, Expires and Vary decide whether the response is stored`(
    _ status: Int, _ response: String, _ request: String, _ expected: Bool
  ) {
    #expect(StorageRules.mayStore(status: status, Self.fields(response), request: Self.fields(request)) == expected)
  }

  @Test func `the fields Vary and Cache-Control of a stored response determine which request fields must match to reuse the response`() {
    func names(_ text: String) -> [String] { StorageRules.selectingNames(Self.fields(text)) }
    #expect(names("Cache-Control: public") == [])
    #expect(names("") == [":credentials"])
    #expect(
      names("Cache-Control: private, public\nVary: Accept-Encoding,accept\nVary: Accept") == [
        ":credentials", "accept", "accept-encoding", "cookie",
      ])
    #expect(names("Cache-Control: public\nVary: Cookie") == ["cookie"])
  }

  @Test func `the cache does not store header fields that belong to the connection`() {
    let fields = Self.fields("Connection: close, X-Hop\nX-Hop: 1\nTransfer-Encoding: chunked\nKeep-Alive: 5\nX-End: 2\nSet-Cookie: a=b")
    #expect(StorageRules.storable(fields) == Self.fields("X-End: 2\nSet-Cookie: a=b"))
  }

  @Test func `only a GET or HEAD without range and body is answered from the cache`() {
    #expect(StorageRules.isAnswerable(.get, [:], hasBody: false))
    #expect(StorageRules.isAnswerable(.head, [:], hasBody: false))
    #expect(!StorageRules.isAnswerable(.get, [.range: "bytes=0-1"], hasBody: false))
    #expect(!StorageRules.isAnswerable(.get, [:], hasBody: true))
    #expect(!StorageRules.isAnswerable(.post, [:], hasBody: false))
    #expect(StorageRules.hasConditions([.ifNoneMatch: "\"a\""]) && !StorageRules.hasConditions([.accept: "*/*"]))
  }

  /// The rules are those of RFC 9111, section 4.4.
  @Test func `a successful unsafe request invalidates the cache entries for its URL and for the URLs in the response`() throws {
    let url = try URLReference("http://h/books/1?x=y")
    func urls(_ status: Int, _ text: String) -> [String] {
      StorageRules.invalidated(by: Self.fields(text), status: status, url: url).map(\.description)
    }
    #expect(urls(204, "") == ["http://h/books/1?x=y"])
    #expect(urls(201, "Location: /books/2\nContent-Location: ../list") == ["http://h/books/1?x=y", "http://h/books/2", "http://h/list"])
    #expect(urls(303, "Location: http://other/books") == ["http://h/books/1?x=y"])
    #expect(urls(404, "Location: /books/2").isEmpty && urls(500, "").isEmpty)
    #expect(!StorageRules.isSafe(.post) && StorageRules.isSafe(.options) && HTTPRequest.Method("PURGE").map(StorageRules.isSafe) == false)
  }

  // MARK: Validation

  @Test func `a 304 response replaces stored fields except those that describe the body`() {
    let stored = Self.head(
      Self.date
        + "ETag: \"a\"\nContent-Type: text/plain\nContent-Length: 5\nContent-Encoding: gzip\nX-Old: 1\nAge: 9\nWarning: 1\nWarning: 2")
    let other = Self.fields(
      "Date: Sun, 06 Nov 1994 09:00:00 GMT\nETag: \"a\"\nContent-Length: 0\nContent-Encoding: br\nConnection: close\nWarning: 3\nX-New: 2\nX-New: 3"
    )
    let updated = stored.updated(by: other, requestTime: 7, responseTime: 8)
    #expect(updated.requestTime == 7 && updated.responseTime == 8)
    #expect(updated.fields[values: .date] == ["Sun, 06 Nov 1994 09:00:00 GMT"])
    #expect(updated.fields[.contentLength] == "5" && updated.fields[.contentEncoding] == "gzip" && updated.fields[.age] == nil)
    #expect(updated.fields[.connection] == nil && updated.fields[.contentType] == "text/plain")
    for (name, values) in [("X-Old", ["1"]), ("X-New", ["2", "3"]), ("Warning", ["3"])] {
      #expect(HTTPField.Name(name).map { updated.fields[values: $0] } == values)
    }
  }

  /// RFC 9111, section 4.3.1: every validator is used.
  @Test func `a request that revalidates a cached response sends every validator of the response`() {
    #expect(Self.head("ETag: W/\"a\"").conditions == Self.fields("If-None-Match: W/\"a\""))
    #expect(
      Self.head("Last-Modified: Thu, 27 Oct 1994 08:49:37 GMT").conditions
        == Self.fields("If-Modified-Since: Thu, 27 Oct 1994 08:49:37 GMT"))
    #expect(Self.head(Self.date).conditions.isEmpty)
  }

  @Test(arguments: [
    ("ETag: \"a\"", "ETag: \"a\"", true), ("ETag: \"a\"", "ETag: \"b\"", false), ("ETag: \"a\"", "ETag: W/\"a\"", true),
    ("ETag: \"a\"", "", true), ("", "ETag: \"a\"", false), ("Last-Modified: x", "Last-Modified: x", true),
    ("Last-Modified: x", "Last-Modified: y", false), ("", "", true),
  ])
  func `a 304 response confirms only a stored response with the same ETag or date`(_ stored: String, _ other: String, _ expected: Bool) {
    #expect(Self.head(stored).isMeant(by: Self.fields(other)) == expected)
  }

  @Test func `a HEAD response confirms a stored GET response unless the two have different entity tags or lengths`() {
    let stored = Self.head("ETag: \"a\"\nContent-Length: 5")
    #expect(stored.isConfirmed(byHead: Self.fields("ETag: \"a\"\nContent-Length: 5")))
    #expect(stored.isConfirmed(byHead: Self.fields("Date: x")))
    #expect(!stored.isConfirmed(byHead: Self.fields("ETag: \"b\"")))
    #expect(!stored.isConfirmed(byHead: Self.fields("Content-Length: 6")))
  }

  /// Any fields lead to a decision. The same fields always lead to the same decision.
  @Test func `random header fields that concern caching never crash the cache`() {
    var generator = SeededRandom(seed: 9)
    let seeds = [
      "max-age=60, no-cache", "max-stale=\"5", "Sun, 06 Nov 1994 08:49:37 GMT", "\"a\", W/\"b\"", "private=\"x\",,public", "0",
      "99999999999999999999",
      "Sunday, 06-Nov-94 08:49:37 GMT",
    ]
    let names: [HTTPField.Name] = [.cacheControl, .expires, .date, .age, .lastModified, .eTag, .vary]
    for _ in 0..<WireFuzzTests.rounds {
      var fields = HTTPFields()
      for name in names { fields.append(HTTPField(name: name, value: WireFuzzTests.mutated(seeds, &generator))) }
      let head = StoredHead(status: 200, reason: "", version: .http1_1, fields: fields, requestTime: 0, responseTime: 5)
      let query = CacheQuery(fields: fields)
      #expect(query.decision(on: head, at: 1_000) == query.decision(on: head, at: 1_000))
      #expect(head.age(at: 1_000) >= 995 && head.lifetime >= 0)
      _ = StorageRules.mayStore(status: 200, fields, request: fields)
      #expect(RecordCoding.decode(RecordCoding.encode(.response(head))) == .response(head))
    }
  }
}
