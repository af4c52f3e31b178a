import GarlandCrypto
import GarlandJSON
import GarlandTransfer
import GarlandWorkflow
import HTTPTypes
import Synchronization

/// A received response, from which expressions and checks read values. The body is parsed when it is first needed.
final class ReceivedResponse: ResponseView {
  /// The body of the response, and the values that were computed from it. The bytes are kept only as long as a value may still be computed
  /// from them.
  private struct Content {
    var bytes: [UInt8] = []
    var download: DownloadedFile?
    /// The reason why the bytes of the body are not available; nil if the bytes are available.
    var absence: ResponseDataError?
    var json: Result<JSONValue, ResponseDataError>?
    var text: Result<String, ResponseDataError>?
    var digest: Result<String, ResponseDataError>?
    var markup: Result<MarkupBody, ResponseDataError>?
    var propertyList: Result<JSONValue, ResponseDataError>?
    /// The first bytes of the body if only these bytes were kept; otherwise empty.
    var beginning: [UInt8] = []
    /// The JSON body, reduced to the values that other steps use; nil if the body was not reduced.
    var excerpt: JSONValue?

    init(absence: ResponseDataError? = nil) { self.absence = absence }
  }

  /// The maximum size of a downloaded body that is read back for a check or an expression.
  static let readBackLimit = 64 << 20
  /// The number of bytes from the beginning of a body that are kept for the check `first_bytes`.
  static let beginningLimit = 1024

  let status: Int
  let url: String
  let time: Double
  let size: Int
  let version: String
  let attempts: Int
  private let hops: [RedirectHop]
  let ticketProblem: String?
  let method: String
  let acceptedTypes: [String]
  let security: ConnectionSecurity?
  /// The query parameters of a received request; empty for a response.
  let query: [(name: String, value: String)]
  /// Whether this object represents a request that a listening step has received, and not a response.
  let isRequest: Bool
  private let received: ReceivedFields
  private var fields: HTTPFields { received.fields }
  /// The stream that was read from the body; nil if the body was not read as a stream.
  let stream: StreamRecord?
  private let files: any WorkflowFiles
  private let content: Mutex<Content>

  /// Creates a response for checks and expressions.
  ///
  /// - Parameters:
  ///   - response: the response as received from the network.
  ///   - acceptedTypes: see ``ResponseView/acceptedTypes``.
  ///   - files: the file system, for reading back a downloaded body.
  ///   - attempts: the number of requests that were sent up to and including the one for this response.
  ///   - stream: the stream that was read from the body.
  init(
    _ response: TransferResponse, acceptedTypes: [String], files: any WorkflowFiles, attempts: Int = 1, stream: StreamRecord? = nil
  ) {
    self.attempts = attempts
    self.stream = stream
    status = response.statusCode
    url = response.url
    time = response.duration.seconds
    size = Int(response.decodedBodyBytes)
    version = response.version.rawValue
    hops = response.redirects
    ticketProblem = response.ticketProblem
    method = response.method.rawValue
    self.acceptedTypes = acceptedTypes
    security = response.security
    query = []
    isRequest = false
    received = response.received
    self.files = files
    var content = Content()
    switch response.body {
    case .bytes(let bytes): content.bytes = bytes
    case .file(let file): content.download = file
    case .prefix(let bytes, let digest):
      if bytes.count == size {
        content.bytes = bytes
      } else {
        content.absence = ResponseDataError("the body was not kept")
        content.beginning = bytes
      }
      if let digest { content.digest = .success(digest.hex) }
    case .discarded: content.absence = ResponseDataError("the body was not kept")
    }
    self.content = Mutex(content)
  }

  /// Creates an object with which checks and expressions can read a received request like a response.
  ///
  /// - Parameters:
  ///   - request: the request.
  ///   - url: the target of the request as an absolute URL.
  ///   - time: the time that the step has waited for the request.
  ///   - files: not used, since the body of a received request is in memory.
  init(_ request: IncomingRequest, url: String, time: Duration, files: any WorkflowFiles) {
    status = 0
    self.url = url
    // Rounded to microseconds: the further digits of a binary fraction were not measured.
    self.time = (time.seconds * 1_000_000).rounded() / 1_000_000
    size = request.body.count
    version = request.version
    attempts = 1
    hops = []
    ticketProblem = nil
    method = request.method
    acceptedTypes = []
    security = nil
    query = request.query
    isRequest = true
    var fields = HTTPFields()
    for field in request.fields {
      if let name = HTTPField.Name(field.name) { fields.append(HTTPField(name: name, value: field.value)) }
    }
    received = ReceivedFields(fields)
    stream = nil
    self.files = files
    var content = Content()
    content.bytes = request.body
    self.content = Mutex(content)
  }

  private init(_ other: ReceivedResponse, fields: ReceivedFields, content: Content, keepsItems: Bool) {
    stream = keepsItems ? other.stream : nil
    status = other.status
    url = other.url
    time = other.time
    size = other.size
    version = other.version
    attempts = other.attempts
    hops = other.hops
    ticketProblem = nil
    method = other.method
    acceptedTypes = []
    security = nil
    query = other.query
    isRequest = other.isRequest
    received = fields
    files = other.files
    self.content = Mutex(content)
  }

  /// Parses in advance all JSON values that other steps will use, instead of parsing each value separately at its first use.
  func prepare(_ places: JSONNeeds) {
    guard case .paths(let paths) = places, let excerpt = excerpt(at: paths) else {
      _ = try? json()
      return
    }
    content.withLock { $0.excerpt = excerpt }
  }

  /// Returns the JSON reduced to the values at `paths`. Returns nil if one of these values is missing: the whole JSON is then kept, so that
  /// a failure can show the values that exist.
  private func excerpt(at paths: [[JSONPathElement]]) -> JSONValue? {
    guard !paths.isEmpty, let values = try? jsonValues(at: BodyPaths(paths)) else { return nil }
    var result = JSONValue.null
    for (path, value) in zip(paths, values) {
      guard let value else { return nil }
      result = result.setting(value, at: path[...])
    }
    return result
  }

  /// The approximate memory size of the body in bytes.
  var bodyWeight: Int {
    content.withLock { content in
      var weight = content.bytes.count + (stream?.items.weight ?? 0)
      if case .success(let json)? = content.json { weight += json.weight }
      if case .success(let text)? = content.text { weight += text.utf8.count }
      if case .success(let value)? = content.propertyList { weight += value.weight }
      if content.markup != nil { weight += 4 * size }
      return weight
    }
  }

  /// Returns a copy of the response with only the parts that other steps use; nil if they use no part.
  ///
  /// - Parameters:
  ///   - needs: the parts that other steps use.
  ///   - places: the paths of the JSON values that other steps use.
  func kept(for needs: ResponseNeeds, _ places: JSONNeeds = .everything) -> ReceivedResponse? {
    guard !needs.isDisjoint(with: [.json, .text, .headers, .cookies, .facts, .digest, .markup, .items]) else { return nil }
    var excerpt: JSONValue?
    if needs.contains(.json), needs.isDisjoint(with: [.text, .markup, .digest]), case .paths(let paths) = places {
      excerpt = content.withLock { $0.excerpt } ?? self.excerpt(at: paths)
    }
    let kept = content.withLock { content in
      guard needs.needsBody else { return Content(absence: ResponseDataError("the body was not kept")) }
      if let excerpt {
        var kept = Content()
        kept.json = .success(excerpt)
        return kept
      }
      var kept = content
      if content.download != nil {
        // The body is read before the file is moved or removed.
        switch bytes(of: content) {
        case .success(let bytes): kept.bytes = bytes
        case .failure(let error): kept.absence = error
        }
        kept.download = nil
      }
      if !needs.contains(.text) {
        kept.text = nil
        if needs.contains(.json), content.json != nil, !needs.contains(.markup) { kept.bytes = [] }
      }
      if !needs.contains(.json) { kept.json = nil }
      if !needs.contains(.markup) { kept.markup = nil }
      return kept
    }
    // The character set is declared in a header field.
    let needsFields = !needs.isDisjoint(with: [.headers, .cookies, .text, .markup])
    return ReceivedResponse(self, fields: needsFields ? received : .none, content: kept, keepsItems: needs.contains(.items))
  }

  // MARK: Header

  func headers(named name: String) -> [String] {
    guard let name = HTTPField.Name(name) else { return [] }
    return fields[values: name]
  }

  var allHeaders: [(name: String, value: String)] { fields.map { ($0.name.rawName, $0.value) } }

  var redirectCount: Int { hops.count }

  var redirects: [JSONValue] {
    hops.map { hop in
      var fields = JSONObject()
      for field in hop.headerFields where fields[field.name.canonicalName] == nil {
        let values = hop.headerFields[values: field.name].map { JSONValue.string($0) }
        fields[field.name.canonicalName] = values.count == 1 ? values[0] : .array(values)
      }
      return [
        "url": .string(hop.url), "method": .string(hop.method.rawValue), "status": JSONValue(hop.status.code),
        "location": .string(hop.target), "headers": .object(fields),
      ]
    }
  }

  var noun: String { isRequest ? "request" : "response" }

  var allCookies: [(name: String, value: String)] {
    isRequest ? CookiePairs.sent(in: fields) : CookiePairs.set(by: fields)
  }

  func cookie(named name: String) -> String? { allCookies.last { $0.name == name }?.value }

  // MARK: Body

  func items() throws(ResponseDataError) -> [JSONValue] {
    guard let stream else { throw ResponseDataError("the response was not read as a stream") }
    return stream.items.values
  }

  func json() throws(ResponseDataError) -> JSONValue {
    try content.withLock { content in
      if let json = content.json { return json }
      let json = bytes(of: content).flatMap(BodyParsing.json)
      content.json = Self.unlessUnfinished(json)
      return json
    }.get()
  }

  func jsonValues(at places: BodyPaths) throws(ResponseDataError) -> [JSONValue?] {
    try content.withLock { content -> Result<[JSONValue?], ResponseDataError> in
      if let json = content.json { return json.map { root in places.paths.map { root.value(at: $0) } } }
      return bytes(of: content).flatMap { BodyParsing.values(places.extractor, in: $0) }
    }.get()
  }

  /// Returns the result of a computation, so that it can be stored for later callers. Returns nil if a time limit interrupted the
  /// computation: the next caller must then repeat the computation.
  private static func unlessUnfinished<Made>(_ result: Result<Made, ResponseDataError>) -> Result<Made, ResponseDataError>? {
    if case .failure = result, Computation.hasEnded { nil } else { result }
  }

  func text() throws(ResponseDataError) -> String {
    let charset = headers(named: "content-type").last.flatMap(BodyText.charset(ofContentType:))
    return try content.withLock { content in
      if let text = content.text { return text }
      let text = bytes(of: content).flatMap { bytes in
        BodyParsing.shortage(of: bytes.count).map { .failure($0) } ?? BodyText.decode(bytes, charset: charset)
      }
      content.text = Self.unlessUnfinished(text)
      return text
    }.get()
  }

  func markup() throws(ResponseDataError) -> MarkupBody {
    let type = headers(named: "content-type").last
    return try content.withLock { content in
      if let markup = content.markup { return markup }
      let markup = bytes(of: content).flatMap { MarkupBody.parse($0, contentType: type) }
      content.markup = Self.unlessUnfinished(markup)
      return markup
    }.get()
  }

  func propertyList() throws(ResponseDataError) -> JSONValue {
    try content.withLock { content in
      if let known = content.propertyList { return known }
      let value = bytes(of: content).flatMap(BodyParsing.propertyList)
      content.propertyList = Self.unlessUnfinished(value)
      return value
    }.get()
  }

  func firstBytes(_ count: Int) throws(ResponseDataError) -> [UInt8] {
    let content = content.withLock { $0 }
    if let download = content.download {
      do throws(WorkflowFileError) {
        return try files.beginning(of: download.temporaryPath, count: count)
      } catch {
        throw ResponseDataError("the downloaded body can't be read: \(error.message)")
      }
    }
    guard let absence = content.absence else { return Array(content.bytes.prefix(count)) }
    guard content.beginning.count >= count else { throw absence }
    return Array(content.beginning.prefix(count))
  }

  func sha256() throws(ResponseDataError) -> String {
    try content.withLock { content in
      if let digest = content.digest { return digest }
      if let digest = content.download?.digest { return .success(digest.hex) }
      let digest = bytes(of: content).flatMap { bytes -> Result<String, ResponseDataError> in
        do throws(CryptoError) {
          return .success(try Digest(of: bytes, using: .sha256).hex)
        } catch {
          return .failure(ResponseDataError("the digest of the body can't be computed: \(error)"))
        }
      }
      content.digest = digest
      return digest
    }.get()
  }

  private func bytes(of content: Content) -> Result<[UInt8], ResponseDataError> {
    if let absence = content.absence { return .failure(absence) }
    guard let download = content.download else { return .success(content.bytes) }
    guard download.size <= Int64(Self.readBackLimit) else {
      return .failure(ResponseDataError("the downloaded body is too large to be read: \(download.size) bytes"))
    }
    if let shortage = BodyParsing.shortage(of: Int(download.size)) { return .failure(shortage) }
    do throws(WorkflowFileError) {
      return .success(try files.read(download.temporaryPath, limit: Self.readBackLimit))
    } catch {
      return .failure(ResponseDataError("the downloaded body can't be read: \(error.message)"))
    }
  }
}
