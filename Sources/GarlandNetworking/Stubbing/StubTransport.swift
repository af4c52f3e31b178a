import Synchronization

/// Answers requests from a table or by a closure, so that code is tested without a server.
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
/// A key of the table is a URL, or a method and a URL. A URL without a query stands for all
/// queries, and a URL with one only for that. A request without an answer fails with
/// ``NetworkingError/Reason/unsupported(_:)``, which names it.
public final class StubTransport: RequestTransport, ExpressibleByDictionaryLiteral {
  private let answer: @Sendable (TransferRequest) async throws -> StubbedResponse
  private let received = Mutex<[TransferRequest]>([])

  /// Creates a transport that asks a closure for each answer.
  public init(_ answer: @escaping @Sendable (_ request: TransferRequest) async throws -> StubbedResponse) { self.answer = answer }

  /// Creates a transport that answers from a table.
  public convenience init(_ table: [String: StubbedResponse]) {
    self.init { request in
      guard let found = Self.find(request, in: table) else {
        throw NetworkingError(.unsupported("no answer is stubbed for \(request.method.rawValue) \(request.url)"), url: request.url)
      }
      return found
    }
  }

  /// Creates a transport that answers from a table; the last answer of a repeated key wins.
  public convenience init(dictionaryLiteral elements: (String, StubbedResponse)...) {
    self.init(Dictionary(elements, uniquingKeysWith: { $1 }))
  }

  /// The requests that arrived, in their order, each redirect and retry included.
  public var requests: [TransferRequest] { received.withLock { $0 } }

  /// Records the request and returns the answer.
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
