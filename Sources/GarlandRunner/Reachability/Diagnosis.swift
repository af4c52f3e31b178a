import GarlandTransfer

/// The reason why a host can't be reached, as found by a probe.
struct Diagnosis: Sendable {
  /// The probed server, as scheme, host and port.
  let target: String
  /// The result of the probe that searched for the cause of a failed request.
  let report: ProbeReport
  /// The name of the step whose failure led to the probe.
  let finder: String

  /// Whether the host is down, so that further requests to the host are useless. False if the probe found no failure. Also false if the
  /// host only closes the connection or sends invalid data: requests to other paths of the host may succeed, and a request that fails in
  /// this way takes little time.
  var isDown: Bool {
    switch report.failure {
    case nil, .noHTTP: false
    default: true
    }
  }

  /// The reason that is reported for a step whose request is not sent, because the host can't be reached.
  var reason: String { "not sent, because \(target) can't be reached: \(report.summary) (detected by `\(finder)`)" }

  /// Returns the message for a failure after a probe has searched for its cause. The message includes the result of the probe if this adds
  /// information.
  static func words(for error: NetworkingError, _ report: ProbeReport) -> String {
    guard let failure = report.failure else {
      return report.lookup == nil || !error.isUnreachable ? error.description : "\(error) (a moment later it was \(report.summary))"
    }
    // The error of the transfer shows only that the name was not resolved; the probe has found the reason.
    if case .name(let name) = failure, error.reason.kind == .resolve { return name.description }
    // Only the probe knows the names in the certificate.
    if case .tls(.wrongHost, _) = failure, case .tls(.wrongHost, _) = error.reason { return failure.description }
    guard ProbeFailure(error)?.kind == failure.kind else { return "\(error); probed: \(report.summary)" }
    return report.paths.count > 1 ? "\(error): \(report.summary)" : error.description
  }
}

/// The question that a probe must answer after a transfer to a host has failed.
enum Suspicion {
  /// The question whether a connection to the host can be established.
  case connection
  /// The question whether the host responds to requests. A connection to the host was already established.
  case answer

  /// Determines the question that a probe must answer after a failed transfer. Returns nil if a probe would not help.
  ///
  /// - Parameters:
  ///   - error: the error of the transfer.
  ///   - hasAnswered: whether the same host has responded to other requests since the failed step started.
  init?(_ error: NetworkingError, hasAnswered: Bool) {
    switch error.reason {
    case .resolve, .refused, .unreachable, .proxy: self = .connection
    // A mistake in a local file is not a problem of the host.
    case .tls(.clientCertificate, _), .tls(.authorities, _): return nil
    // The host is up. It may accept clients with a different certificate.
    case .tls(.alert(let alert), _) where alert.isAboutClientCertificate: return nil
    case .tls: self = .connection
    case .timeout(let timeout) where timeout.phase == .waiting: return nil
    // The host has answered with redirects until the deadline.
    case .timeout(let timeout) where timeout.phase <= .securing && !error.isUnreachable: return nil
    case .timeout(let timeout) where timeout.phase <= .securing: self = .connection
    case .timeout(let timeout):
      guard timeout.phase != .receiving, !hasAnswered else { return nil }
      self = .answer
    // Either the path causes the error, or the host has just stopped, in which case it accepts no connections any more.
    case .connectionLost, .invalidResponse:
      guard error.partialResponse == nil, !hasAnswered else { return nil }
      self = .connection
    default: return nil
    }
  }
}
