import Synchronization

/// Answers requests from a table or with a closure, so that code can be tested without a server.
///
/// ```swift
/// let stubs = StubTransport([
///   "GET https://api.example.com/users/1": .json(["id": 1, "name": "Ada"]),
///   "https://api.example.com/users/2": .status(404),
/// ])
/// let session = Session(.stubbed(by: stubs))
/// let user = try await session.request("https://api.example.com/users/1").validate().response(of: User.self).value
/// print(stubs.requests.count)   // 1
/// ```
/// A key of the table is a URL, or a method and a URL. A URL without a query matches any query; a URL with a query matches only that query.
/// A request for which the table has no entry fails with ``NetworkingError/Reason/unsupported(_:)``, whose text contains the request.
public final class StubTransport: RequestTransport, ExpressibleByDictionaryLiteral {
  private let answer: @Sendable (TransferRequest) async throws -> StubbedResponse
  private let received = Mutex<[TransferRequest]>([])

  /// Creates a transport that calls a closure for each request.
  public init(_ answer: @escaping @Sendable (_ request: TransferRequest) async throws -> StubbedResponse) { self.answer = answer }

  /// Creates a transport with a table of responses.
  public convenience init(_ table: [String: StubbedResponse]) {
    self.init { request in
      guard let found = Self.find(request, in: table) else {
        throw NetworkingError(.unsupported("no answer is stubbed for \(request.method.rawValue) \(request.url)"), url: request.url)
      }
      return found
    }
  }

  /// Creates a transport with a table of responses. If a key is repeated, its last response wins.
  public convenience init(dictionaryLiteral elements: (String, StubbedResponse)...) {
    self.init(Dictionary(elements, uniquingKeysWith: { $1 }))
  }

  /// The requests that arrived, in order. Each redirect and retry is a separate request.
  public var requests: [TransferRequest] { received.withLock { $0 } }

  /// Records the request and returns its stubbed response.
  public func response(to request: TransferRequest) async throws -> TransferResponse {
    received.withLock { $0.append(request) }
    return try await answer(request).response(to: request)
  }

  private static func find(_ request: TransferRequest, in table: [String: StubbedResponse]) -> StubbedResponse? {
    let base = request.url.prefix { $0 != "?" }
    for url in [request.url, String(base)] {
      for key in ["\(request.method.rawValue) \(url)", url] { if let answer = table[key] { return answer } }
    }
    return nil
  }
}
