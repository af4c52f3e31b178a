/// What became of a request, in the form that a serializer gave it.
///
/// ```swift
/// let response = await session.request(url).validate().response(of: User.self)
/// print(response.status ?? 0, response.metrics.last?.total ?? .zero)
/// let user = try response.value
/// ```
public struct DataResponse<Value: Sendable>: Sendable {
  /// The request as it was sent last; nil if it could not be made.
  public let request: TransferRequest?
  /// The response, if one arrived, also where it was not accepted or not understood.
  public let response: TransferResponse?
  /// What was measured, for each attempt.
  public let metrics: [TransferMetrics]
  /// How often it was sent again.
  public let retryCount: Int
  /// How long the serializer took.
  public let serializationDuration: Duration
  /// The value, or why there is none.
  public let result: Result<Value, NetworkingError>

  /// The value. Throws why there is none.
  public var value: Value {
    get throws(NetworkingError) { try result.get() }
  }

  /// Why there is no value.
  public var error: NetworkingError? { if case .failure(let error) = result { error } else { nil } }

  /// The content as it arrived; empty if none did, or if it is in a file.
  public var data: [UInt8] { response?.bytes ?? [] }

  /// The status, if a response arrived.
  public var status: Int? { response?.status.code }

  /// The same with the value changed.
  public func map<Other: Sendable>(_ transform: (Value) -> Other) -> DataResponse<Other> { with(result.map(transform)) }

  /// The same with the value changed, or with what `transform` throws as its error.
  public func tryMap<Other: Sendable>(_ transform: (Value) throws -> Other) -> DataResponse<Other> {
    with(
      result.flatMap { value in
        do {
          return .success(try transform(value))
        } catch {
          let failure = error as? NetworkingError ?? NetworkingError(.serialization(.custom(.init(error))), url: response?.url)
          return .failure(failure)
        }
      })
  }

  private func with<Other: Sendable>(_ result: Result<Other, NetworkingError>) -> DataResponse<Other> {
    DataResponse<Other>(
      request: request, response: response, metrics: metrics, retryCount: retryCount, serializationDuration: serializationDuration,
      result: result)
  }
}

extension DataResponse: CustomStringConvertible {
  /// `GET https://example.com/ (200): the value`.
  public var description: String {
    let status = response.map { " (\($0.status.code))" } ?? ""
    let head = request.map { "\($0.method.rawValue) \($0.url)\(status): " } ?? ""
    switch result {
    case .success(let value): return head + "\(value)"
    case .failure(let error): return head + error.description
    }
  }
}
