import HTTPTypes

/// Turns the content of a response into a value.
///
/// ```swift
/// struct CSV: ResponseSerializer {
///   func serialize(_ content: ResponseContent) throws -> [[String]] {
///     try StringResponseSerializer().serialize(content).split(separator: "\n").map { $0.split(separator: ",").map(String.init) }
///   }
/// }
/// let rows = try await session.request(url).validate().response(with: CSV()).value
/// ```
/// It runs in the task that waits, not on the engine's thread, so that it may take its time.
public protocol ResponseSerializer<Output>: Sendable {
  /// What it makes.
  associatedtype Output: Sendable

  /// The value. What it throws is the response's error, as ``NetworkingError/Reason/serialization(_:)``.
  func serialize(_ content: ResponseContent) throws -> Output
}

/// What a serializer gets.
public struct ResponseContent: Sendable {
  /// The request as it was sent.
  public let request: TransferRequest
  /// The response.
  public let response: TransferResponse
  /// Its content, decoded.
  public let bytes: [UInt8]

  /// All of it.
  public init(request: TransferRequest, response: TransferResponse, bytes: [UInt8]) {
    self.request = request
    self.response = response
    self.bytes = bytes
  }

  /// Whether such a response comes without content: 204, 205, and the answer to HEAD.
  public var mayBeEmpty: Bool {
    response.status.code == 204 || response.status.code == 205 || response.request.method == .head
  }

  /// Throws ``NetworkingError/Serialization/empty`` if there is no content where there should be. True if there is none and that is right.
  public func isRightlyEmpty() throws(NetworkingError.Serialization) -> Bool {
    guard bytes.isEmpty else { return false }
    guard mayBeEmpty else { throw .empty }
    return true
  }

  /// The `charset` of the content type, if it has one.
  public var charset: String? {
    guard let type = response.headerFields[.contentType] else { return nil }
    var parameters = ParameterScanner(type)
    while let (name, value) = parameters.next() { if name == "charset", !value.isEmpty { return value } }
    return nil
  }
}

extension NetworkingError.Serialization: Error {}

extension ResponseSerializer {
  /// The result for the end of a request, and how long it took.
  func result(
    _ request: TransferRequest?, _ result: Result<TransferResponse, NetworkingError>,
    bytes: (TransferResponse) throws(NetworkingError) -> [UInt8]
  ) -> (Result<Output, NetworkingError>, Duration) {
    switch result {
    case .failure(let error): return (.failure(error), .zero)
    case .success(let response):
      let clock = ContinuousClock()
      let start = clock.now
      let value = value(request ?? TransferRequest(url: response.url), response, bytes)
      return (value, start.duration(to: clock.now))
    }
  }

  private func value(
    _ request: TransferRequest, _ response: TransferResponse, _ bytes: (TransferResponse) throws(NetworkingError) -> [UInt8]
  ) -> Result<Output, NetworkingError> {
    do {
      return .success(try serialize(ResponseContent(request: request, response: response, bytes: try bytes(response))))
    } catch let error as NetworkingError {
      return .failure(error)
    } catch {
      let failure = (error as? NetworkingError.Serialization) ?? .custom(.init(error))
      var wrapped = NetworkingError(.serialization(failure), url: response.url, metrics: response.metrics)
      wrapped.partialResponse = response
      return .failure(wrapped)
    }
  }
}
