/// A request whose response is kept in memory.
///
/// ```swift
/// let request = session.request("https://example.com/users/1").validate()
/// let user = try await request.response(of: User.self).value
/// let text = try await request.string        // the same response: nothing is sent again
/// ```
///
/// `@unchecked Sendable`: the class adds no property to ``Request``.
public class DataRequest: Request, @unchecked Sendable {
  override var needsDriver: Bool { false }

  override func send(_ request: TransferRequest) async -> Result<TransferResponse, NetworkingError> {
    guard let decide = options.disposition else { return await transfer(request) }
    return await transfer(request, decide: decide)
  }

  override func accept(_ response: TransferResponse) throws(NetworkingError) {
    if case .file(let file) = response.body { _ = try file.commit(for: response) }
  }

  override func refuse(_ response: TransferResponse) {
    if case .file(let file) = response.body { file.discard() }
  }

  /// Waits for the response and returns it with its raw content. A response without content is not an error here.
  public final func response() async -> DataResponse<[UInt8]> {
    await response(with: DataResponseSerializer(requiresContent: false))
  }

  /// Waits for the response and converts its content with a serializer. Any number of serializers, sequential or concurrent, share one
  /// transfer.
  public final func response<Serializer: ResponseSerializer>(with serializer: Serializer) async -> DataResponse<Serializer.Output> {
    let (outcome, result, duration) = await serialized(with: serializer) { $0.bytes }
    return DataResponse(
      request: outcome.request ?? request, response: outcome.response, metrics: outcome.metrics, retryCount: outcome.retryCount,
      serializationDuration: duration, result: result)
  }

  /// Waits for the response and converts its content with a serializer, such as `.json` or `.decodable(of: User.self)`.
  public final func response<Serializer: ResponseSerializer>(_ serializer: Serializer) async -> DataResponse<Serializer.Output> {
    await response(with: serializer)
  }

  /// Waits for the response and decodes its content as a value of a type. The content is JSON unless `format` is another format.
  public final func response<Value: Decodable & Sendable>(
    of type: Value.Type = Value.self, format: DecodableResponseSerializer<Value>.Format = .json, decoder: ValueDecoder = ValueDecoder()
  ) async -> DataResponse<Value> {
    await response(with: DecodableResponseSerializer(of: type, format: format, decoder: decoder))
  }

  /// The raw content of the response. Reading this property waits for the response.
  public final var data: [UInt8] {
    get async throws(NetworkingError) { try await response(with: DataResponseSerializer()).value }
  }

  /// The content as text, decoded in the character set that the response declares, or in ISO-8859-1 if it declares none. Reading this
  /// property waits for the response.
  public final var string: String {
    get async throws(NetworkingError) { try await response(with: StringResponseSerializer()).value }
  }

  /// The content of the response as JSON. Reading this property waits for the response.
  public final var json: JSONValue {
    get async throws(NetworkingError) { try await response(with: JSONResponseSerializer()).value }
  }

  /// The content of the response, parsed as a property list in the XML or the binary format.
  public final var propertyList: StructuredValue {
    get async throws(NetworkingError) { try await response(with: PropertyListResponseSerializer()).value }
  }

  /// The content as an XML tree.
  public final var xml: MarkupDocument {
    get async throws(NetworkingError) { try await response(with: MarkupResponseSerializer(.xml)).value }
  }

  /// The content as an HTML tree.
  public final var html: MarkupDocument {
    get async throws(NetworkingError) { try await response(with: MarkupResponseSerializer(.html)).value }
  }
}

/// A request that sends content: bytes, a file, a form or a stream.
///
/// Its response is kept in memory.
///
/// ```swift
/// let request = session.upload(file: "report.pdf", to: "https://example.com/reports", method: .put)
/// Task { for await progress in request.uploadProgress { print(progress.fraction ?? 0) } }
/// let reply = try await request.validate().string
/// ```
///
/// `@unchecked Sendable`: the class adds no property to ``Request``.
public final class UploadRequest: DataRequest, @unchecked Sendable {}
