import HTTPTypes

/// The text that `debugPrint` writes for the response of a request.
///
/// The values of header fields with credentials are masked. A query or a body is not searched for credentials.
struct ExchangeDescription {
  let request: TransferRequest?
  let response: TransferResponse?
  let metrics: [TransferMetrics]
  let serializationDuration: Duration

  /// The size in bytes of the longest body that is shown as text.
  private static let longestBody = 100_000

  /// Returns the request, the response, `details`, the durations and the result, one after another.
  func text<Value>(_ result: Result<Value, NetworkingError>, details: [String] = []) -> String {
    let network = metrics.last.map { "\($0.total)" } ?? "None"
    let ending = ["[Network Duration]: \(network)", "[Serialization Duration]: \(serializationDuration)", "[Result]: \(shown(result))"]
    return (requestLines + responseLines + details + ending).joined(separator: "\n")
  }

  private var requestLines: [String] {
    guard let request else { return ["[Request]: None"] }
    // Prefer the request as it was sent, with the fields that the engine has added.
    let sent = response?.request
    let method = sent?.method ?? request.method
    let url = ResumeData.resource(of: sent?.url ?? request.url)
    let fields = sent?.headerFields ?? request.headerFields
    let secret = request.credentialFields.union(RedirectState.alwaysCredential).union(sent?.credentialFields ?? [])
    let head = ["[Request]: \(method.rawValue) \(url)"] + lines(of: fields, masking: secret)
    // A redirect can remove the body: 303 after POST becomes GET.
    let content =
      switch sent?.hasBody == false ? .none : request.body {
      case .none: "None"
      case .bytes(let bytes): shown(bytes, type: fields[.contentType])
      case .file(let path, _, _): "the file \(path)"
      case .multipart: "a form"
      case .stream: "a stream"
      }
    return head + [Self.line(ofBody: content)]
  }

  private var responseLines: [String] {
    guard let response else { return ["[Response]: None"] }
    let head = ["[Response]:", "    [Status Code]: \(response.status.code)"] + lines(of: response.headerFields, masking: [.setCookie])
    let content =
      switch response.body {
      case .bytes(let bytes): shown(bytes, type: response.headerFields[.contentType])
      case .file: "in a file"
      case .prefix, .discarded: "\(response.decodedBodyBytes) bytes"
      }
    return head + [Self.line(ofBody: content)]
  }

  private func lines(of fields: HTTPFields, masking secret: Set<HTTPField.Name>) -> [String] {
    if fields.isEmpty { return ["    [Headers]: None"] }
    return ["    [Headers]:"] + fields.map { "        \($0.name.rawName): \(secret.contains($0.name) ? "***" : $0.value)" }
  }

  private static func line(ofBody content: String) -> String { "    [Body]:\(content.hasPrefix("\n") ? "" : " ")\(content)" }

  /// Returns a body on indented lines if its type is a text type; otherwise its size.
  private func shown(_ bytes: [UInt8], type: String?) -> String {
    if bytes.isEmpty { return "None" }
    let isText = ["json", "xml", "text"].contains { type?.contains($0) == true }
    guard isText, bytes.count <= Self.longestBody else { return "\(bytes.count) bytes" }
    return "\n        " + String(decoding: bytes, as: UTF8.self).replacing("\n", with: "\n        ")
  }

  private func shown<Value>(_ result: Result<Value, NetworkingError>) -> String {
    switch result {
    case .success(let bytes as [UInt8]): "success(\(bytes.count) bytes)"
    case .success(let value): "success(\(value))"
    case .failure(let error): "failure(\(error))"
    }
  }
}

extension DataResponse: CustomDebugStringConvertible {
  /// The output of `debugPrint`: the request, the response, the durations and the result.
  ///
  /// The output includes header fields and textual bodies. Credentials in header fields are masked.
  public var debugDescription: String {
    ExchangeDescription(request: request, response: response, metrics: metrics, serializationDuration: serializationDuration).text(result)
  }
}

extension DownloadResponse: CustomDebugStringConvertible {
  /// The output of `debugPrint`: the request, the response, the path of the file, the durations and the result.
  ///
  /// The output includes header fields. Credentials in header fields are masked.
  public var debugDescription: String {
    ExchangeDescription(request: request, response: response, metrics: metrics, serializationDuration: serializationDuration)
      .text(result, details: ["[File]: \(path ?? "None")", "[Resume Data]: \(resumeData == nil ? "None" : "available")"])
  }
}
