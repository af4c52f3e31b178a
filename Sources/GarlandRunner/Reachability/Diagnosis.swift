import GarlandTransfer

/// The reason why a host can't be reached, as found by a probe.
struct Diagnosis: Sendable {
  /// The target of the probe: scheme, host and port.
  let target: String
  /// The result of the probe.
  let report: ProbeReport
  /// The name of the step whose failure was diagnosed.
  let finder: String

  /// Whether further requests to the host are useless. This is false for a host that closes the connection or sends invalid data: it may do
  /// so for a single path only, and another request to it would fail quickly.
  var isDown: Bool {
    switch report.failure {
    case nil, .noHTTP: false
    default: true
    }
  }

  /// The reason that is reported for steps that are not sent because of this diagnosis.
  var reason: String { "not sent, because \(target) can't be reached: \(report.summary) (detected by `\(finder)`)" }

  /// Returns the message for a diagnosed failure, which includes the result of the probe if that adds information.
  static func words(for error: NetworkingError, _ report: ProbeReport) -> String {
    guard let failure = report.failure else {
      return report.lookup == nil || !error.isUnreachable ? error.description : "\(error) (a moment later it was \(report.summary))"
    }
    // The transfer knows only that the name did not resolve; the probe has asked why.
    if case .name(let name) = failure, error.reason.kind == .resolve { return name.description }
    guard ProbeFailure(error)?.kind == failure.kind else { return "\(error); probed: \(report.summary)" }
    return report.paths.count > 1 ? "\(error): \(report.summary)" : error.description
  }
}

/// The question that a failed transfer raises about its host, which a probe answers.
enum Suspicion {
  /// Whether a connection can be established.
  case connection
  /// Whether the host responds on a connection.
  case answer

  /// Determines the question; nil if there is none.
  ///
  /// - Parameters:
  ///   - error: the error of the transfer.
  ///   - hasAnswered: whether the same host has responded to other requests in the meantime.
  init?(_ error: NetworkingError, hasAnswered: Bool) {
    switch error.reason {
    case .resolve, .refused, .unreachable, .proxy: self = .connection
    // A mistake in a local file is not the fault of a host.
    case .tls(.clientCertificate, _), .tls(.authorities, _): return nil
    // The host is up, and accepts clients with another certificate.
    case .tls(.alert(let alert), _) where alert.isAboutClientCertificate: return nil
    case .tls: self = .connection
    case .timeout(let timeout) where timeout.phase == .waiting: return nil
    case .timeout(let timeout) where timeout.phase <= .securing: self = .connection
    case .timeout(let timeout):
      guard timeout.phase != .receiving, !hasAnswered else { return nil }
      self = .answer
    // The path may be to blame, or the host has just died: then it takes no connections any more.
    case .connectionLost, .invalidResponse:
      guard error.partialResponse == nil, !hasAnswered else { return nil }
      self = .connection
    default: return nil
    }
  }
}
