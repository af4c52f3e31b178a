import GarlandAuth
import GarlandTransfer

/// Sends token requests through the engine of the run, and records each of them for the report.
struct RunTransport: AuthTransport {
  let transport: any Transport
  /// The transfer settings, such as TLS and proxy settings, for requests to the provider's servers.
  let settings: TransferSettings
  let recorder: ExchangeRecorder
  let log: ExchangeLog
  /// The purposes of requests whose responses contain tokens. Reports show only harmless parts of
  /// these responses.
  private static let secretive: Set<AuthPurpose> = [.token, .device]

  func send(_ request: TransferRequest, for purpose: AuthPurpose) async throws(NetworkingError) -> TransferResponse {
    var whole = request
    whole.settings = settings
    whole.settings.redirects = request.settings.redirects
    whole.settings.maximumBodyBytes = request.settings.maximumBodyBytes
    whole.settings.tls.clientCertificate = request.settings.tls.clientCertificate
    do throws(NetworkingError) {
      let response = try await transport.response(for: whole)
      var exchange = recorder.exchange(of: BuiltRequest(transfer: whole), response, isComplete: response.status.code != 200)
      exchange.label = purpose.rawValue
      if Self.secretive.contains(purpose) {
        exchange.responseBody = exchange.responseBody.map { TokenAnswer.shown($0, status: exchange.hops.last?.status) }
      }
      log.add(exchange)
      return response
    } catch {
      var exchange = recorder.exchange(of: BuiltRequest(transfer: whole), error)
      exchange.label = purpose.rawValue
      if Self.secretive.contains(purpose) {
        exchange.responseBody = exchange.responseBody.map { TokenAnswer.shown($0, status: exchange.hops.last?.status) }
      }
      log.add(exchange)
      throw error
    }
  }
}
