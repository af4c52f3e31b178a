import GarlandJSON
import Glibc
import Synchronization

/// A request whose response is written to a file.
///
/// The file is moved to its target path when the body is complete and all validators have accepted the response.
///
/// ```swift
/// let path = try await session.download("https://example.com/big.iso", to: DownloadTarget(path: "big.iso")).validate().file
/// ```
///
/// `@unchecked Sendable`: the properties that the class adds to ``Request`` are immutable or in a mutex.
public final class DownloadRequest: Request, @unchecked Sendable {
  private let moved = Mutex<String?>(nil)

  override var keepsBody: Bool { false }

  override func accept(_ response: TransferResponse) throws(NetworkingError) {
    guard case .file(let file) = response.body else { return }
    let path = try file.commit(for: response)
    moved.withLock { $0 = path }
  }

  override func refuse(_ response: TransferResponse) {
    // Remove the file now: the last reference to the response may be released much later.
    if case .file(let file) = response.body { file.discard() }
  }

  /// Removes the downloaded file. If a serializer could not read the file, the request is sent again, and this method is called first.
  override func willRestart() {
    let path = moved.withLock { path in
      defer { path = nil }
      return path
    }
    if let path { unlink(path) }
  }

  // MARK: Cancelling

  /// Cancels the download with ``NetworkingError/Reason/cancelled``.
  ///
  /// If `producingResumeData` is true and the download can be resumed, the partial file stays on the disk, and
  /// ``DownloadResponse/resumeData`` describes it. A download whose connection was interrupted has resume data
  /// without this call.
  ///
  /// Only a GET whose response has status 200, a strong validator and no content coding can be resumed. To request a response without a
  /// content coding, set ``DownloadTarget/partial-swift.property`` to ``DownloadTarget/Partial-swift.enum/kept``.
  @discardableResult
  public func cancel(producingResumeData: Bool) -> Self {
    if producingResumeData { keepPartial() }
    return cancel()
  }

  /// Cancels the download and returns its resume data. Returns nil if the download cannot be resumed: nothing has arrived, the download has
  /// ended, or the response has no strong validator.
  public func cancelProducingResumeData() async -> ResumeData? {
    cancel(producingResumeData: true)
    guard case .failure(let error) = await outcome().result else { return nil }
    return error.resumeData
  }

  // MARK: Results

  /// The path of the file; nil until the file is complete and has been moved to this path.
  public var path: String? { moved.withLock { $0 } }

  /// Waits for the download and returns its response, whose value is the path of the file.
  public func response() async -> DownloadResponse<String> {
    let outcome = await outcome()
    let result = outcome.result.flatMap { response in
      path.map { .success($0) } ?? .failure(NetworkingError(.cancelled, url: response.url))
    }
    return DownloadResponse(
      request: outcome.request ?? request, response: outcome.response, path: path, metrics: outcome.metrics, retryCount: outcome.retryCount,
      serializationDuration: .zero, result: result)
  }

  /// Waits for the download and converts the file's content with a serializer. The file is read into memory.
  public func response<Serializer: ResponseSerializer>(with serializer: Serializer) async -> DownloadResponse<Serializer.Output> {
    let (outcome, result, duration) = await serialized(with: serializer) { (_) throws(NetworkingError) -> [UInt8] in
      guard let path else { throw NetworkingError(.serialization(.empty)) }
      do throws(NetworkingError.File) {
        return try FileContent.read(path)
      } catch {
        throw NetworkingError(.serialization(.file(error)))
      }
    }
    return DownloadResponse(
      request: outcome.request ?? request, response: outcome.response, path: path, metrics: outcome.metrics, retryCount: outcome.retryCount,
      serializationDuration: duration, result: result)
  }

  /// Waits for the download and converts the file's content with a serializer, such as `.json` or `.decodable(of: User.self)`.
  public func response<Serializer: ResponseSerializer>(_ serializer: Serializer) async -> DownloadResponse<Serializer.Output> {
    await response(with: serializer)
  }

  /// Waits for the download and decodes the file's content as a value of a type. The content is JSON unless `format` is another format.
  public func response<Value: Decodable & Sendable>(
    of type: Value.Type = Value.self, format: DecodableResponseSerializer<Value>.Format = .json, decoder: ValueDecoder = ValueDecoder()
  ) async -> DownloadResponse<Value> {
    await response(with: DecodableResponseSerializer(of: type, format: format, decoder: decoder))
  }

  /// The path of the file. The property waits until the file is complete and has been moved to this
  /// path.
  public var file: String { get async throws(NetworkingError) { try await response().value } }

  /// The content of the downloaded file. Reading this property waits until the download has ended.
  public var data: [UInt8] { get async throws(NetworkingError) { try await response(with: DataResponseSerializer()).value } }

  /// The file's content as text, decoded in the character set that the response declares, or in ISO-8859-1 if it declares none.
  public var string: String { get async throws(NetworkingError) { try await response(with: StringResponseSerializer()).value } }

  /// The file's content as JSON.
  public var json: JSONValue { get async throws(NetworkingError) { try await response(with: JSONResponseSerializer()).value } }

  /// The file's content, parsed as a property list in the XML or the binary format.
  public var propertyList: StructuredValue {
    get async throws(NetworkingError) { try await response(with: PropertyListResponseSerializer()).value }
  }

  /// The file's content as an XML tree.
  public var xml: MarkupDocument { get async throws(NetworkingError) { try await response(with: MarkupResponseSerializer(.xml)).value } }

  /// The file's content as an HTML tree.
  public var html: MarkupDocument { get async throws(NetworkingError) { try await response(with: MarkupResponseSerializer(.html)).value } }
}

extension DownloadedFile {
  /// Moves the downloaded file of a response to the target path of the download. Returns the path. If this fails, the error contains the
  /// response and its URL.
  func commit(for response: TransferResponse) throws(NetworkingError) -> String {
    do throws(NetworkingError) {
      return try commit()
    } catch {
      var error = error
      error.url = response.url
      error.metrics = response.metrics
      error.partialResponse = response
      throw error
    }
  }
}
