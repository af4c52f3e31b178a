import GarlandAuth
import GarlandResults
import GarlandTransfer
import GarlandWorkflow

extension StepEnding {
  /// Creates the failed result of a step that can't be sent, because no token for it could be
  /// obtained.
  ///
  /// - Parameters:
  ///   - error: the reason why there is no token.
  ///   - definition: the entry of `auth`.
  ///   - log: the recorded token requests. It contains the failure of the `authorize` steps, if the
  ///     document has such steps.
  init(noToken error: OAuthError, _ definition: AuthDefinition, _ log: ExchangeLog?) {
    let kind: CheckFailure.Kind =
      switch error {
      case .cache: .file
      case .transport(let reason, _, _) where reason.brokenFile != nil: .file
      case .transport, .timeUp, .cancelled: .transport
      default: .value
      }
    let outcome: Outcome = kind == .transport && error.isUnreachable ? .unreachable : kind == .value ? .failed : .error
    self.init(outcome, reason: outcome == .failed ? nil : "could not get a token for the `auth` entry `\(definition.name.value)`: \(error)")
    var failure = CheckFailure(
      kind, subject: "auth.\(definition.name.value)", message: "could not get a token: \(error)", at: definition.name.range)
    if case .authorization = error, let cause = log?.failure {
      failure.range = cause.range ?? failure.range
      (failure.help, failure.excerpt, failure.difference) = (cause.help, cause.excerpt, cause.difference)
      (failure.expected, failure.actual) = (cause.expected, cause.actual)
    }
    if case .transport(.tls(.alert(let alert), _), _, _) = error, alert.isAboutClientCertificate || alert == .handshakeFailure {
      failure.help =
        definition.oauth2?.clientCertificate == nil
        ? "to send the certificate of `client_certificate` to the provider, write `client_auth: tls_client_auth`"
        : "to show the certificate of `client_certificate`, run `openssl x509 -noout -subject -issuer -dates -in FILE`"
    }
    failures = [failure]
  }
}
