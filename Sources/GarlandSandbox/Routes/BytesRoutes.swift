import GarlandCrypto
import GarlandText

/// Routes that send deterministic bytes of any size.
enum BytesRoutes {
  private static let largest = 1 << 40
  private static let largestDigest = 256 << 20
  private static let lastModified = "Wed, 01 Jan 2025 00:00:00 GMT"

  static let routes = [
    Route("GET", "/bytes/{n}", "The given number of pseudo-random bytes: ?seed= &chunked=1 &digest=1 (Repr-Digest)", bytes),
    Route("GET", "/stream-bytes/{n}", "The same, chunked", streamBytes),
    Route(
      "GET", "/range/{n}", "The same, with byte ranges, a strong ETag, If-Range and conditional requests; ?ranges=0 &etag=TEXT", range),
  ]

  static let bytes: Route.PureHandler = { request throws(Refusal) in try send(request, chunked: request.flag("chunked")) }

  static let streamBytes: Route.PureHandler = { request throws(Refusal) in try send(request, chunked: true) }

  static let range: Route.PureHandler = { request throws(Refusal) in
    let count = UInt64(try request.integer("n", in: 0...largest))
    let seed = try seed(request)
    let etag = "\"\(request.query["etag"] ?? "range-\(count)-\(seed)")\""
    var headers = [
      HeaderField("Content-Type", "application/octet-stream"), HeaderField("ETag", etag), HeaderField("Last-Modified", lastModified),
    ]
    if let refusal = Preconditions(etag: etag, lastModified: lastModified).evaluate(request, headers: headers) { throw refusal }
    let takesRanges = request.query["ranges"] != "0"
    headers.append(HeaderField("Accept-Ranges", takesRanges ? "bytes" : "none"))
    let pattern = PatternBytes(seed: seed)
    guard takesRanges, request.method == "GET", let field = request.headers.first("Range"), isStillThis(request, etag) else {
      return SandboxResponse(200, headers: headers, body: .pattern(pattern, range: 0..<count, chunked: false))
    }
    switch ByteRange(field, size: count) {
    // An unknown range is ignored (RFC 9110 section 14.2). Several ranges at once are also ignored, which a server may do.
    case .ignored: return SandboxResponse(200, headers: headers, body: .pattern(pattern, range: 0..<count, chunked: false))
    case .unsatisfiable:
      throw Refusal(416, "the range lies outside of \(count) bytes", headers: [HeaderField("Content-Range", "bytes */\(count)")])
    case .range(let range):
      headers.append(HeaderField("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(count)"))
      return SandboxResponse(206, headers: headers, body: .pattern(pattern, range: range, chunked: false))
    }
  }

  /// Whether the response may contain only the requested range (RFC 9110, section 13.1.5). True if the request has no `If-Range`, or if
  /// `If-Range` contains the entity tag or the `Last-Modified` date of the current representation.
  private static func isStillThis(_ request: SandboxRequest, _ etag: String) -> Bool {
    guard let condition = request.headers.first("If-Range") else { return true }
    return condition == etag || condition == lastModified
  }

  private static func seed(_ request: SandboxRequest) throws(Refusal) -> UInt64 {
    UInt64(try request.queryInteger("seed", default: 1, in: 0...Int.max))
  }

  private static func send(_ request: SandboxRequest, chunked: Bool) throws(Refusal) -> SandboxResponse {
    let count = UInt64(try request.integer("n", in: 0...largest))
    let pattern = PatternBytes(seed: try seed(request), count: count)
    var headers = [HeaderField("Content-Type", "application/octet-stream")]
    if request.flag("digest") {
      guard count <= largestDigest else { throw Refusal(400, "a digest is made of up to \(largestDigest) bytes") }
      headers.append(HeaderField("Repr-Digest", "sha-256=:\(Base64.encode(try digest(pattern, count))):"))
    }
    return SandboxResponse(200, headers: headers, body: .pattern(pattern, range: 0..<count, chunked: chunked))
  }

  private static func digest(_ pattern: PatternBytes, _ count: UInt64) throws(Refusal) -> [UInt8] {
    do throws(CryptoError) {
      let hasher = try DigestHasher(.sha256)
      var failure: CryptoError?
      pattern.forEachPiece(in: 0..<count) { piece in
        do throws(CryptoError) { try hasher.update(piece) } catch { failure = error }
      }
      if let failure { throw failure }
      return try hasher.finish().bytes
    } catch {
      throw Refusal(500, error.description)
    }
  }
}
