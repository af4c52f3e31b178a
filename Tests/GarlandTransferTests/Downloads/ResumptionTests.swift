import HTTPTypes
import Testing

@testable import GarlandTransfer

/// Tests the interpretation of responses for a partial download.
@Suite struct ResumptionTests {
  private static func fields(_ pairs: KeyValuePairs<String, String>) -> HTTPFields {
    var fields = HTTPFields()
    for (name, value) in pairs { if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) } }
    return fields
  }

  private static func fields(_ lines: [String]) -> HTTPFields {
    var fields = HTTPFields()
    for line in lines {
      let parts = line.split(separator: ":", maxSplits: 1)
      if let name = HTTPField.Name(String(parts[0])) { fields.append(HTTPField(name: name, value: String(parts[1].dropFirst()))) }
    }
    return fields
  }

  private static let tagged = ResumeData(url: "http://h/f", path: "p", validator: .entityTag("\"a\""), length: 10)
  private static let dated = ResumeData(
    url: "http://h/f", path: "p", validator: .lastModified("Mon, 20 Jan 2025 10:00:00 GMT"), length: nil)

  @Test func `a resumed download requests only the missing bytes, or only checks for changes if no bytes are missing`() {
    #expect(Resumption(Self.tagged, offset: 4).fields.map { "\($0)" } == ["Range: bytes=4-", "If-Range: \"a\""])
    #expect(
      Resumption(Self.dated, offset: 4).fields.map { "\($0)" } == ["Range: bytes=4-", "If-Range: Mon, 20 Jan 2025 10:00:00 GMT"])
    // All bytes exist already: the request only checks whether they are still right.
    #expect(Resumption(Self.tagged, offset: 10).fields.map { "\($0)" } == ["If-None-Match: \"a\""])
  }

  @Test(
    arguments: [
      (["ETag: \"a\"", "Content-Range: bytes 4-9/10"], Resumption.Action.append(length: 10)),
      (["ETag: \"a\"", "Content-Range: bytes 4-9/*"], .append(length: 10)),
      (["ETag: \"a\"", "Content-Range: bytes 4-9/10", "Content-Encoding: identity"], .append(length: 10)),
      // The resource has changed, or the response does not show whether it has changed.
      (["ETag: \"b\"", "Content-Range: bytes 4-9/10"], .again),
      (["ETag: W/\"a\"", "Content-Range: bytes 4-9/10"], .again),
      (["Content-Range: bytes 4-9/10"], .again),
      // The part does not contain exactly the missing bytes.
      (["ETag: \"a\"", "Content-Range: bytes 3-9/10"], .again),
      (["ETag: \"a\"", "Content-Range: bytes 4-8/10"], .again),
      (["ETag: \"a\"", "Content-Range: bytes 4-10/11"], .again),
      (["ETag: \"a\"", "Content-Range: lines 4-9/10"], .again),
      (["ETag: \"a\"", "Content-Range: bytes 4-9"], .again),
      (["ETag: \"a\""], .again),
      (["ETag: \"a\"", "Content-Type: multipart/byteranges; boundary=x"], .again),
      (["ETag: \"a\"", "Content-Range: bytes 4-9/10", "Content-Encoding: gzip"], .again),
      // The response also contains the length of the part as `Content-Length`, which must match the range.
      (["ETag: \"a\"", "Content-Range: bytes 4-9/10", "Content-Length: 6"], .append(length: 10)),
      (["ETag: \"a\"", "Content-Range: bytes 4-9/10", "Content-Length: 5"], .again),
      (["ETag: \"a\"", "Content-Range: bytes 4-9/10", "Content-Length: 10"], .again),
    ] as [([String], Resumption.Action)])
  func `a 206 response is appended to a partial download only if it is the rest of the same resource`(
    _ lines: [String], _ action: Resumption.Action
  ) {
    var state = Resumption(Self.tagged, offset: 4)
    #expect(state.take(status: 206, fields: Self.fields(lines)) == action)
    #expect(state.step == (action == .again ? .whole : .range))
    if action == .again {
      #expect(state.fields.isEmpty)
      #expect(state.take(status: 200, fields: [:]) == .replace)
    }
  }

  @Test func `if the total length is unknown, a 206 response is not appended to the partial file`() {
    var state = Resumption(Self.dated, offset: 4)
    let date = "Mon, 20 Jan 2025 10:00:00 GMT"
    #expect(state.take(status: 206, fields: Self.fields(["Last-Modified": date, "Content-Range": "bytes 4-9/*"])) == .again)
    var other = Resumption(Self.dated, offset: 4)
    #expect(other.take(status: 206, fields: Self.fields(["Last-Modified": date, "Content-Range": "bytes 4-9/10"])) == .append(length: 10))
  }

  @Test func `after a 416 response, a conditional request shows whether the partial file is complete or must be replaced`() {
    var state = Resumption(Self.dated, offset: 10)
    #expect(state.take(status: 416, fields: Self.fields(["Content-Range": "bytes */10"])) == .again)
    #expect(state.fields.map { "\($0)" } == ["If-Modified-Since: Mon, 20 Jan 2025 10:00:00 GMT"])
    #expect(state.take(status: 304, fields: [:]) == .complete)

    var changed = Resumption(Self.dated, offset: 10)
    #expect(changed.take(status: 416, fields: Self.fields(["Content-Range": "bytes */10"])) == .again)
    #expect(changed.take(status: 200, fields: [:]) == .replace)

    // The resource is unchanged, but shorter than the partial file, so the file contains something else.
    var longer = Resumption(Self.dated, offset: 12)
    #expect(longer.take(status: 416, fields: Self.fields(["Content-Range": "bytes */10"])) == .again)
    #expect(longer.take(status: 304, fields: [:]) == .again)
    #expect(longer.take(status: 200, fields: [:]) == .replace)

    // The length of the whole resource is unknown.
    var silent = Resumption(Self.dated, offset: 10)
    #expect(silent.take(status: 416, fields: [:]) == .again)
    #expect(silent.take(status: 304, fields: [:]) == .again)
    #expect(silent.step == .whole)
  }

  /// `If-None-Match` compares weakly: "not modified" may refer to an equivalent but different
  /// state.
  @Test func `if the validator in a 304 response is weak or differs from the stored one, the partial file does not count as complete`() {
    for (fields, action) in [
      (["ETag: \"a\""], Resumption.Action.complete), (["ETag: W/\"a\""], .again), (["ETag: \"b\""], .again),
      (["Last-Modified: Tue, 21 Jan 2025 10:00:00 GMT"], .complete),
    ] as [([String], Resumption.Action)] {
      var state = Resumption(Self.tagged, offset: 10)
      #expect(state.take(status: 304, fields: Self.fields(fields)) == action, "\(fields)")
    }
    let dated = ResumeData(url: "http://h/f", path: "p", validator: .lastModified("Mon, 20 Jan 2025 10:00:00 GMT"), length: 10)
    for (date, action) in [("Mon, 20 Jan 2025 10:00:00 GMT", Resumption.Action.complete), ("Tue, 21 Jan 2025 10:00:00 GMT", .again)] {
      var state = Resumption(dated, offset: 10)
      #expect(state.take(status: 304, fields: [.lastModified: date]) == action)
    }
  }

  /// A part in response to a request for the whole resource is refused, unless the part covers the whole
  /// resource.
  @Test(
    arguments: [("bytes 0-9/10", .replace), ("bytes 0-8/10", .refuse), ("bytes 4-9/10", .refuse), ("bytes 0-9/*", .refuse), ("", .refuse)]
      as [(String, Resumption.Action)])
  func `a 206 response to a request for the whole file is accepted only if it contains the whole file`(
    _ range: String, _ action: Resumption.Action
  ) {
    var state = Resumption(Self.tagged, offset: 4)
    #expect(state.take(status: 206, fields: [:]) == .again)
    #expect(state.take(status: 206, fields: [.contentRange: range]) == action)
  }

  @Test(arguments: [401, 403, 404, 412, 500, 503])
  func `a response with an error status to a resumed download is delivered, and the partial file is kept`(status: Int) {
    var state = Resumption(Self.tagged, offset: 4)
    #expect(state.take(status: status, fields: [:]) == .deliver)
    #expect(state.step == .range)
  }

  @Test(arguments: [
    ("\"a\"", true), ("\"\"", true), ("W/\"a\"", false), ("a", false), ("\"a\"b\"", false), ("\"", false), ("\"a b\"", false),
  ]) func `only a quoted ETag without the prefix W/ is a strong validator`(_ tag: String, _ isStrong: Bool) {
    #expect(ResumeData.isStrong(tag) == isStrong)
  }

  @Test func `a download can be resumed only if its response has a strong ETag or a reliable Last-Modified`() {
    func data(_ pairs: KeyValuePairs<String, String>, status: Int = 200) -> ResumeData.Validator? {
      ResumeData(url: "u", path: "p", status: status, fields: Self.fields(pairs), length: nil)?.validator
    }
    let date = "Mon, 20 Jan 2025 10:00:00 GMT"
    #expect(data(["ETag": "\"a\"", "Last-Modified": date]) == .entityTag("\"a\""))
    #expect(data(["Last-Modified": date, "Date": "Mon, 20 Jan 2025 10:00:01 GMT"]) == .lastModified(date))
    #expect(data(["Last-Modified": date, "Date": date]) == nil)
    #expect(data(["Last-Modified": date]) == nil)
    #expect(data(["Last-Modified": "yesterday", "Date": date]) == nil)
    #expect(data(["ETag": "W/\"a\"", "Last-Modified": date, "Date": "Tue, 21 Jan 2025 10:00:00 GMT"]) == nil)
    #expect(data(["ETag": "\"a\"", "Content-Encoding": "gzip"]) == nil)
    #expect(data(["ETag": "\"a\"", "Accept-Ranges": "none"]) == nil)
    #expect(data(["ETag": "\"a\""], status: 206) == nil)
  }

  @Test func `resume data is read back unchanged from JSON, and invalid JSON is refused`() throws {
    for data in [Self.tagged, Self.dated] { #expect(try ResumeData(json: data.json) == data) }
    for text in [
      "", "{}", "[1]", "{\"garland_resume\":2,\"url\":\"u\",\"path\":\"p\",\"etag\":\"\\\"a\\\"\"}",
      "{\"garland_resume\":1,\"url\":\"u\",\"path\":\"p\"}", "{\"garland_resume\":1,\"url\":\"u\",\"path\":\"p\",\"etag\":\"W/\\\"a\\\"\"}",
    ] {
      #expect(throws: NetworkingError.self) { try ResumeData(json: Array(text.utf8)) }
    }
  }

  @Test(
    arguments: [
      ("bytes 0-0/1", ContentRange.range(first: 0, last: 0, length: 1)), ("Bytes 2-9/*", .range(first: 2, last: 9, length: nil)),
      ("bytes */7", .unsatisfied(length: 7)), ("bytes */*", nil), ("bytes 9-2/10", nil), ("bytes 2-10/10", nil), ("bytes -2/10", nil),
      ("bytes 1-2/x", nil), ("bytes=1-2/3", nil), ("", nil), ("bytes 1-99999999999999999999/*", nil),
    ] as [(String, ContentRange?)])
  func `a valid Content-Range is parsed, and an invalid one is refused`(_ text: String, _ range: ContentRange?) {
    #expect(ContentRange(text) == range)
  }
}
