/// A response of a ``StubTransport``.
///
/// ```swift
/// let answer = StubbedResponse.json(["id": 1, "name": "Ada"])
/// let slow = StubbedResponse.status(503, headerFields: [.retryAfter: "2"]).delayed(by: .seconds(1))
/// ```
public struct StubbedResponse: Sendable {
  /// The status. Defaults to 200.
  public var status: HTTPResponse.Status
  /// The header fields of the response.
  public var headerFields: HTTPFields
  /// The body as it is transferred, possibly with a content coding.
  public var body: [UInt8]
  /// The time before the response arrives. Defaults to zero.
  public var delay: Duration = .zero
  private var failure: NetworkingError.Reason?

  /// Creates a response from a status, header fields and a body.
  public init(status: HTTPResponse.Status = .ok, headerFields: HTTPFields = HTTPFields(), body: [UInt8] = []) {
    self.status = status
    self.headerFields = headerFields
    self.body = body
  }

  /// Returns a response whose body is `bytes`.
  public static func bytes(_ bytes: [UInt8], contentType: String = "application/octet-stream") -> StubbedResponse {
    StubbedResponse(headerFields: [.contentType: contentType, .contentLength: String(bytes.count)], body: bytes)
  }

  /// Returns a response whose body is `text` in UTF-8.
  public static func text(_ text: String, contentType: String = "text/plain; charset=utf-8") -> StubbedResponse {
    bytes(Array(text.utf8), contentType: contentType)
  }

  /// Returns a response whose body is `value` as JSON.
  public static func json(_ value: JSONValue) -> StubbedResponse { bytes(value.jsonBytes(), contentType: "application/json") }

  /// Encodes `value` as JSON, and returns a response with this JSON as its body.
  @_disfavoredOverload
  public static func json(_ value: some Encodable) throws(ParameterEncodingError) -> StubbedResponse {
    json(try StructuredEncoder().encode(value).json())
  }

  /// Returns a response with the content of a file. The content type follows from the file's extension.
  public static func file(_ path: String) throws(NetworkingError) -> StubbedResponse {
    do throws(NetworkingError.File) {
      return bytes(try FileContent.read(path), contentType: MediaTypes.type(forPath: path))
    } catch {
      throw NetworkingError(.file(error))
    }
  }

  /// Returns a response with a status and no content.
  public static func status(_ code: Int, headerFields: HTTPFields = HTTPFields()) -> StubbedResponse {
    StubbedResponse(status: HTTPResponse.Status(code: code), headerFields: headerFields)
  }

  /// Returns a redirect to `url`.
  public static func redirect(to url: String, status: Int = 302) -> StubbedResponse {
    .status(status, headerFields: [.location: url])
  }

  /// Returns a stub that makes the transfer fail with `reason` instead of giving a response.
  public static func failure(_ reason: NetworkingError.Reason) -> StubbedResponse {
    var response = StubbedResponse()
    response.failure = reason
    return response
  }

  /// Returns a copy of this response whose status is `code`.
  public func with(status code: Int) -> StubbedResponse {
    var response = self
    response.status = HTTPResponse.Status(code: code)
    return response
  }

  /// Returns a copy of this response in which the header field `name` has the value `value`.
  public func with(_ name: HTTPField.Name, _ value: String) -> StubbedResponse {
    var response = self
    response.headerFields[name] = value
    return response
  }

  /// Returns a copy of this response to which header fields are added. A field of `headers` replaces a field of the same name.
  ///
  /// ```swift
  /// let limited = StubbedResponse.json(["id": 1]).with(headers: ["X-RateLimit-Remaining": "0"])
  /// ```
  /// If a name or a value is not valid in a header field, the transfer fails with the error of
  /// ``HTTPHeaders/fields()``.
  public func with(headers: HTTPHeaders) -> StubbedResponse {
    var response = self
    do throws(NetworkingError) {
      for field in try headers.fields() { response.headerFields[field.name] = field.value }
    } catch {
      response.failure = error.reason
    }
    return response
  }

  /// Returns a copy of this response that arrives after `delay`. The request's timeouts keep running during the delay.
  public func delayed(by delay: Duration) -> StubbedResponse {
    var response = self
    response.delay = delay
    return response
  }

  /// Waits for the delay and returns the response to a request.
  func response(to request: TransferRequest) async throws -> TransferResponse {
    if delay > .zero { try await Task.sleep(for: delay) }
    if let failure { throw NetworkingError(failure, url: request.url) }
    return TransferResponse(to: request, status: status, headerFields: headerFields, body: body)
  }
}
