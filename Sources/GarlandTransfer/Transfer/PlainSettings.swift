/// Whether a handle that was set up for a GET with certain settings can be used for the next with the same ones: found out once for those that many requests
/// have in common.
final class PlainSettings {
  let settings: TransferSettings
  /// Whether they say nothing that depends on the request at hand.
  let isPlain: Bool
  /// The same where there is TLS: nobody is asked about the server, and no certificate is shown.
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
