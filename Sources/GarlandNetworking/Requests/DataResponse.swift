/// The result of a request: the value that a serializer created from the response, or an error.
///
/// ```swift
/// let response = await session.request(url).validate().response(of: User.self)
/// print(response.status ?? 0, response.metrics.last?.total ?? .zero)
/// let user = try response.value
/// ```
public struct DataResponse<Value: Sendable>: Sendable {
  /// The request as it was last sent; nil if it could not be created.
  public let request: TransferRequest?
  /// The response, even if a validator refused it or it could not be read; nil if no response arrived.
  public let response: TransferResponse?
  /// The metrics of each attempt.
  public let metrics: [TransferMetrics]
  /// The number of retries before this response.
  public let retryCount: Int
  /// The time that the serializer took.
  public let serializationDuration: Duration
  /// The value, or the error.
  public let result: Result<Value, NetworkingError>

  /// The value in ``result``. Throws the error in ``result`` if there is no value.
  public var value: Value {
    get throws(NetworkingError) { try result.get() }
  }

  /// The error; nil if there is a value.
  public var error: NetworkingError? { if case .failure(let error) = result { error } else { nil } }

  /// The raw content; empty if no response arrived or the content is in a file.
  public var data: [UInt8] { response?.bytes ?? [] }

  /// The status of the response; nil if no response arrived.
  public var status: Int? { response?.status.code }

  /// Creates a response from its parts, for example to test a view.
  public init(
    request: TransferRequest?, response: TransferResponse?, metrics: [TransferMetrics] = [], retryCount: Int = 0,
    serializationDuration: Duration = .zero, result: Result<Value, NetworkingError>
  ) {
    self.request = request
    self.response = response
    self.metrics = metrics
    self.retryCount = retryCount
    self.serializationDuration = serializationDuration
    self.result = result
  }

  /// Returns a copy of this response in which `transform` has replaced the value. A response with an error keeps its error.
  public func map<Other: Sendable>(_ transform: (Value) -> Other) -> DataResponse<Other> { with(result.map(transform)) }

  /// Returns a copy of this response in which `transform` has converted the value. If `transform` throws, the copy contains the thrown
  /// error. A response with an error keeps its error.
  public func tryMap<Other: Sendable>(_ transform: (Value) throws -> Other) -> DataResponse<Other> {
    with(result.tryMap(transform, of: response))
  }

  /// Returns a copy of this response in which `transform` has replaced the error. A response with a value keeps its value.
  public func mapError(_ transform: (NetworkingError) -> NetworkingError) -> DataResponse { with(result.mapError(transform)) }

  /// Returns a copy of this response in which `transform` has converted the error. If `transform` throws, the copy contains the thrown
  /// error. A response with a value keeps its value.
  public func tryMapError(_ transform: (NetworkingError) throws -> NetworkingError) -> DataResponse {
    with(result.tryMapError(transform, of: response))
  }

  private func with<Other: Sendable>(_ result: Result<Other, NetworkingError>) -> DataResponse<Other> {
    DataResponse<Other>(
      request: request, response: response, metrics: metrics, retryCount: retryCount, serializationDuration: serializationDuration,
      result: result)
  }
}

extension Result where Failure == NetworkingError, Success: Sendable {
  /// Converts the value with `transform`. If `transform` throws an error other than a ``NetworkingError``, the result is a serialization
  /// error that contains `response`.
  func tryMap<Other>(_ transform: (Success) throws -> Other, of response: TransferResponse?) -> Result<Other, NetworkingError> {
    flatMap { value in
      do {
        return .success(try transform(value))
      } catch {
        return .failure(Self.wrapped(error, response))
      }
    }
  }

  /// Converts the error of a failed result with `transform`. If `transform` itself throws an error, that error becomes the error of the
  /// result.
  func tryMapError(
    _ transform: (NetworkingError) throws -> NetworkingError, of response: TransferResponse?
  ) -> Result<Success, NetworkingError> {
    mapError { error in
      do {
        return try transform(error)
      } catch {
        return Self.wrapped(error, response)
      }
    }
  }

  /// Returns a description such as `GET https://example.com/ (200): the value`. For a failed request, it ends with the error.
  func description(of request: TransferRequest?, _ response: TransferResponse?) -> String {
    let status = response.map { " (\($0.status.code))" } ?? ""
    let head = request.map { "\($0.method.rawValue) \($0.url)\(status): " } ?? ""
    switch self {
    case .success(let value): return head + "\(value)"
    case .failure(let error): return head + error.description
    }
  }

  private static func wrapped(_ error: any Error, _ response: TransferResponse?) -> NetworkingError {
    error as? NetworkingError ?? NetworkingError(.serialization(.custom(.init(error))), url: response?.url)
  }
}

extension DataResponse: CustomStringConvertible {
  /// A description such as `GET https://example.com/ (200): the value`.
  public var description: String { result.description(of: request, response) }
}
