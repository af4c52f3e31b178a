/// Whether a handle set up for a GET with certain settings can be reused for the next GET with the
/// same ones; determined once for settings that many requests share.
final class PlainSettings {
  let settings: TransferSettings
  /// Whether no setting depends on the individual request.
  let isPlain: Bool
  /// Whether no setting depends on the individual request over TLS: there are no evaluators and no
  /// client certificate.
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
