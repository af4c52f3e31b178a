import GarlandDiagnostics
import GarlandJSON
import GarlandReports
import GarlandText
import GarlandTransfer
import HTTPTypes

/// Sends traces to collectors, by [OTLP/HTTP](https://opentelemetry.io/docs/specs/otlp/#otlphttp).
struct TraceSender {
  let engine: Engine
  let environment: [String: String]

  /// The time limit for sending a message. It is the default of the OpenTelemetry specification.
  private static let deadline = Duration.seconds(10)
  /// The maximum number of attempts to send a message to a collector that is overloaded.
  private static let attempts = 3
  private static let interrupted = "interrupted"
  private static let passingStatuses: Set<Int> = [429, 502, 503, 504]

  /// Sends the traces of reports, and returns the errors.
  func send(_ uploads: [TraceUpload]) async -> [ReportError] {
    var problems: [ReportError] = []
    for upload in uploads {
      do throws(ReportError) {
        for index in 0..<upload.count { try await send(try upload.message(index), upload.url) }
      } catch {
        problems.append(error)
      }
    }
    return problems
  }

  private func send(_ message: [UInt8], _ url: String) async throws(ReportError) {
    var request = TransferRequest(url: try target(of: url), method: .post, headerFields: fields, body: .bytes(message))
    request.settings.proxy = .environment(ProxyEnvironment(environment))
    request.settings.deadline = Self.deadline
    // The header fields may contain a key that only this collector may receive.
    request.settings.redirects = .deliver
    for attempt in 1... {
      let response: TransferResponse
      do throws(NetworkingError) {
        response = try await engine.response(for: request)
      } catch {
        throw .cannotSend(url: ReportURL.shown(url), reason: Task.isCancelled ? Self.interrupted : error.description)
      }
      let status = response.status.code
      if (200...299).contains(status) { return try check(response.bytes, url) }
      guard Self.passingStatuses.contains(status), attempt < Self.attempts, (try? await Task.sleep(for: .seconds(attempt))) != nil else {
        let place = (300...399).contains(status) ? response.headerFields[.location] : nil
        let reason =
          place.map { " and redirects to \(ReportURL.shown(DisplayText.visible($0))), which is not followed: name that URL" } ?? ""
        let answer = "the collector answers with status \(status)\(reason)"
        throw .cannotSend(url: ReportURL.shown(url), reason: Task.isCancelled ? Self.interrupted : answer)
      }
    }
  }

  /// Throws an error if the collector accepted a message but rejected some of its spans.
  private func check(_ body: [UInt8], _ url: String) throws(ReportError) {
    guard let answer = try? JSONValue(parsing: body), let partial = answer["partialSuccess"] else { return }
    // An int64 of protobuf is a string in JSON.
    let count = partial["rejectedSpans"]?.intValue ?? partial["rejectedSpans"]?.stringValue.flatMap { Int($0) } ?? 0
    guard count > 0 else { return }
    let reason = partial["errorMessage"]?.stringValue.map { ": \(DisplayText.visible($0))" } ?? ""
    throw .cannotSend(url: ReportURL.shown(url), reason: "the collector refused \(count) \(count == 1 ? "span" : "spans")\(reason)")
  }

  /// Returns the URL of a collector. A URL without a path gets the standard path for traces.
  private func target(of url: String) throws(ReportError) -> String {
    do throws(URLReferenceError) {
      var reference = try URLReference(url)
      if reference.path.isEmpty || reference.path == "/" { reference.path = "/v1/traces" }
      return reference.description
    } catch {
      throw .cannotSend(url: ReportURL.shown(url), reason: "it is no URL")
    }
  }

  /// The header fields of requests to the collector. They include the fields from the [variables of
  /// OpenTelemetry](https://opentelemetry.io/docs/specs/otel/protocol/exporter/). The value of such a variable consists of percent-encoded
  /// `name=value` pairs, separated by commas.
  private var fields: HTTPFields {
    var fields: HTTPFields = [.contentType: "application/json"]
    let given = environment["OTEL_EXPORTER_OTLP_TRACES_HEADERS"] ?? environment["OTEL_EXPORTER_OTLP_HEADERS"] ?? ""
    for pair in given.split(separator: ",") {
      let parts = pair.split(separator: "=", maxSplits: 1).map { part in
        PercentEncoding.text(decoding: part).trimmingSpaces
      }
      if parts.count == 2, let name = HTTPField.Name(parts[0]), HTTPField.isValidValue(parts[1]) { fields[name] = parts[1] }
    }
    return fields
  }
}

extension String {
  fileprivate var trimmingSpaces: String {
    var text = drop { $0 == " " }
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
