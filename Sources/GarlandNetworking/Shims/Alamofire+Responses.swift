public import GarlandJSON

// Responses by the names of Alamofire. A completion handler is called in a task of its own.

/// A handle for the response of a request. A task can wait for the response, or for its value.
public struct DataTask<Value: Sendable>: Sendable {
  fileprivate let wait: @Sendable () async -> DataResponse<Value>

  /// The response. Reading this property waits until the request has ended.
  public var response: DataResponse<Value> { get async { await wait() } }
  /// The value of the response, or the error of the request.
  public var result: Result<Value, NetworkingError> { get async { await wait().result } }
  /// The value of the response. If the request has failed, reading this property throws its error.
  public var value: Value { get async throws(NetworkingError) { try await wait().value } }
}

extension TransferResponse {
  /// The status as a number.
  @available(*, deprecated, renamed: "status.code")
  public var statusCode: Int { status.code }
  /// The header fields, with strings as names.
  @available(*, deprecated, renamed: "headerFields")
  public var headers: HTTPHeaders { HTTPHeaders(headerFields) }
}

extension DataRequest {
  /// Calls a closure with the response, whose value is the raw content.
  @available(*, deprecated, message: "write `await response()`")
  @discardableResult
  public final func response(completionHandler: @escaping @Sendable (DataResponse<[UInt8]>) -> Void) -> Self {
    answer(with: DataResponseSerializer(requiresContent: false), completionHandler)
  }

  /// Calls a closure with the response, whose value is the raw content. A response without content is an error, unless its status (such as
  /// 204) or the method of its request (such as HEAD) allows a response without content.
  @available(*, deprecated, message: "write `await response(.data)`")
  @discardableResult
  public final func responseData(completionHandler: @escaping @Sendable (DataResponse<[UInt8]>) -> Void) -> Self {
    answer(with: DataResponseSerializer(), completionHandler)
  }

  /// Calls a closure with the response, whose value is the content as text.
  @available(*, deprecated, message: "write `await response(.string)`")
  @discardableResult
  public final func responseString(completionHandler: @escaping @Sendable (DataResponse<String>) -> Void) -> Self {
    answer(with: StringResponseSerializer(), completionHandler)
  }

  /// Calls a closure with the response, whose value is the content as JSON.
  @available(*, deprecated, message: "write `await response(.json)`")
  @discardableResult
  public final func responseJSON(completionHandler: @escaping @Sendable (DataResponse<JSONValue>) -> Void) -> Self {
    answer(with: JSONResponseSerializer(), completionHandler)
  }

  /// Calls a closure with the response, whose content is decoded as a value of the given type.
  @available(*, deprecated, message: "write `await response(of:)`")
  @discardableResult
  public final func responseDecodable<Value: Decodable & Sendable>(
    of type: Value.Type = Value.self, completionHandler: @escaping @Sendable (DataResponse<Value>) -> Void
  ) -> Self {
    answer(with: DecodableResponseSerializer(of: type), completionHandler)
  }

  /// Returns a task whose value is the response's content.
  @available(*, deprecated, message: "write `await response(.data)`, or `try await data`")
  public final func serializingData() -> DataTask<[UInt8]> { DataTask { await self.response(with: DataResponseSerializer()) } }

  /// Returns a task whose value is the response's content as text.
  @available(*, deprecated, message: "write `await response(.string)`, or `try await string`")
  public final func serializingString() -> DataTask<String> { DataTask { await self.response(with: StringResponseSerializer()) } }

  /// Returns a task whose value is the response's content, decoded as a value of a type.
  @available(*, deprecated, message: "write `await response(of:)`")
  public final func serializingDecodable<Value: Decodable & Sendable>(_ type: Value.Type = Value.self) -> DataTask<Value> {
    DataTask { await self.response(of: type) }
  }

  private func answer<Serializer: ResponseSerializer>(
    with serializer: Serializer, _ completion: @escaping @Sendable (DataResponse<Serializer.Output>) -> Void
  ) -> Self {
    Task { completion(await self.response(with: serializer)) }
    return self
  }
}

/// A download whose result is not known yet. Reading ``response``, ``result`` or ``value`` waits until the download has ended.
public struct DownloadTask<Value: Sendable>: Sendable {
  fileprivate let wait: @Sendable () async -> DownloadResponse<Value>

  /// The response. Reading this property waits until the request has ended.
  public var response: DownloadResponse<Value> { get async { await wait() } }
  /// The value of the response, or the error of the request.
  public var result: Result<Value, NetworkingError> { get async { await wait().result } }
  /// The value of the response. Throws the error of the request if there is no value.
  public var value: Value { get async throws(NetworkingError) { try await wait().value } }
}

extension DownloadRequest {
  /// Calls a closure with the response, whose value is the path of the file.
  @available(*, deprecated, message: "write `await response()`")
  @discardableResult
  public func response(completionHandler: @escaping @Sendable (DownloadResponse<String>) -> Void) -> Self {
    Task { completionHandler(await self.response()) }
    return self
  }

  /// Calls a closure with the response, whose value is the path of the file.
  @available(*, deprecated, message: "write `await response()`")
  @discardableResult
  public func responseURL(completionHandler: @escaping @Sendable (DownloadResponse<String>) -> Void) -> Self {
    Task { completionHandler(await self.response()) }
    return self
  }

  /// Calls a closure with the response, whose value is the content of the downloaded file.
  @available(*, deprecated, message: "write `await response(.data)`")
  @discardableResult
  public func responseData(completionHandler: @escaping @Sendable (DownloadResponse<[UInt8]>) -> Void) -> Self {
    answer(with: DataResponseSerializer(), completionHandler)
  }

  /// Calls a closure with the response, whose value is the file's content as text.
  @available(*, deprecated, message: "write `await response(.string)`")
  @discardableResult
  public func responseString(completionHandler: @escaping @Sendable (DownloadResponse<String>) -> Void) -> Self {
    answer(with: StringResponseSerializer(), completionHandler)
  }

  /// Calls a closure with the response, whose value is the file's content, decoded as `Value`.
  @available(*, deprecated, message: "write `await response(of:)`")
  @discardableResult
  public func responseDecodable<Value: Decodable & Sendable>(
    of type: Value.Type = Value.self, completionHandler: @escaping @Sendable (DownloadResponse<Value>) -> Void
  ) -> Self {
    answer(with: DecodableResponseSerializer(of: type), completionHandler)
  }

  /// Returns a task whose value is the path of the downloaded file.
  @available(*, deprecated, message: "write `await response()`, or `try await file`")
  public func serializingDownloadedFileURL() -> DownloadTask<String> { DownloadTask { await self.response() } }

  /// Returns a task whose value is the content of the downloaded file.
  @available(*, deprecated, message: "write `await response(.data)`, or `try await data`")
  public func serializingData() -> DownloadTask<[UInt8]> { DownloadTask { await self.response(with: DataResponseSerializer()) } }

  /// Returns a task whose value is the file's content as text.
  @available(*, deprecated, message: "write `await response(.string)`, or `try await string`")
  public func serializingString() -> DownloadTask<String> { DownloadTask { await self.response(with: StringResponseSerializer()) } }

  /// Returns a task whose value is the file's content, decoded as `Value`.
  @available(*, deprecated, message: "write `await response(of:)`")
  public func serializingDecodable<Value: Decodable & Sendable>(_ type: Value.Type = Value.self) -> DownloadTask<Value> {
    DownloadTask { await self.response(of: type) }
  }

  private func answer<Serializer: ResponseSerializer>(
    with serializer: Serializer, _ completion: @escaping @Sendable (DownloadResponse<Serializer.Output>) -> Void
  ) -> Self {
    Task { completion(await self.response(with: serializer)) }
    return self
  }
}
