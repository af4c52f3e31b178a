/// Determines whether a handle that was set up for a GET with certain settings can be reused for the next GET
/// with the same settings. The result is stored, since many requests share their settings.
final class PlainSettings {
  let settings: TransferSettings
  /// Whether the setup for `http` URLs is the same for all requests with these settings.
  let isPlain: Bool
  /// Whether the setup for `https` URLs is the same for all requests with these settings, because there are no
  /// evaluators and no client certificate.
  let isPlainWithTLS: Bool

  init(_ settings: TransferSettings) {
    self.settings = settings
    let isDirect = if case .none = settings.proxy { true } else { false }
    isPlain =
      isDirect && settings.resolve.isEmpty && settings.connectTo.isEmpty && settings.priority == .normal && !settings.usesFreshConnection
    isPlainWithTLS =
      isPlain && settings.serverTrust == nil && !settings.recordsSecurity && settings.tls.clientCertificate == nil
      && settings.tls.serverName == .automatic
  }
}
