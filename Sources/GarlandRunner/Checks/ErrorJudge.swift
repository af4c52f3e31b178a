import GarlandJSON
import GarlandTransfer
import GarlandResults
import GarlandWorkflow

/// Checks a transport error against the errors that `expect.error` allows.
enum ErrorJudge {
  /// Checks a transport error against the error expectations of a step. Returns the failures, and the number of checked expectations.
  /// Returns nil if the cause of the error is on this machine, since a step can't expect such an error.
  static func judge(_ error: NetworkingError, for step: Step, in context: any EvaluationContext) -> (failures: [CheckFailure], count: Int)?
  {
    guard error.reason.isOfTransit else { return nil }
    var failures: [CheckFailure] = []
    var count = 0
    for expectation in step.expectations {
      guard case .error(let template) = expectation.check else { continue }
      count += 1
      do {
        try judge(error, template, expectation, in: context, &failures)
      } catch {
        failures.append(CheckFailure(error))
      }
    }
    return (failures, count)
  }

  private static func judge(
    _ error: NetworkingError, _ template: ErrorTemplate, _ expectation: Expectation, in context: any EvaluationContext,
    _ failures: inout [CheckFailure]
  ) throws(EvaluationError) {
    var isNamed = template.names.isEmpty
    for setting in template.names {
      let name = try setting.resolve(in: context)
      if error.reason.names.contains(name) { isNamed = true }
    }
    if !isNamed {
      let wanted = words(of: template, in: context)
      let found = error.reason.names.first?.rawValue ?? "another error"
      var failure = CheckFailure(
        .expectation, subject: "error", message: "is `\(found)` (\(error)), expected \(wanted)", at: expectation.range)
      failure.expected = wanted
      failure.actual = "\(found): \(error)"
      failures.append(failure)
    }
    let judge = PredicateJudge(context: context, target: .text)
    for mismatch in judge.mismatches(template.message, of: .string(error.description)) {
      var failure = CheckFailure(
        mismatch.isValueError ? .value : .expectation, subject: "error.message", message: mismatch.message,
        at: mismatch.range ?? expectation.range)
      failure.expected = mismatch.expected
      failure.actual = mismatch.actual
      failure.help = mismatch.help
      failures.append(failure)
    }
  }

  /// Returns the expected errors in words: "`refused` or `dns`".
  static func words(of template: ErrorTemplate, in context: any EvaluationContext) -> String {
    let names = template.names.compactMap { try? $0.resolve(in: context).rawValue }
    return names.isEmpty || names == ["any"] ? "any error" : Shown.list(names, "or")
  }
}

extension NetworkingError.Reason {
  /// The names of this error in `expect.error`, the most specific first. A document can expect the error by any of them.
  var names: [ErrorName] {
    let own: [ErrorName] =
      switch self {
      case .resolve: [.dns]
      case .refused: [.refused]
      case .unreachable: [.unreachable]
      case .timeout: [.timeout]
      case .tls(.untrusted, _), .tls(.wrongHost, _): [.certificate, .tls]
      case .trust: [.certificate, .tls]
      case .tls(.handshake, _), .tls(.alert, _): [.handshake, .tls]
      case .tls: [.tls]
      case .proxy: [.proxy]
      case .connectionLost: [.reset]
      case .truncated: [.truncated, .reset]
      case .invalidResponse: [.invalidResponse]
      case .redirect: [.redirect]
      case .bodyTooLarge, .itemTooLarge, .headerTooLarge, .tooManyFields: [.tooLarge]
      case .undecodable: [.decoding]
      case .notCached: [.notCached]
      default: []
      }
    return own + [.any]
  }

  /// Whether the error occurred during the transfer. False for errors of local files, and for a cancelled request.
  var isOfTransit: Bool {
    switch self {
    case .tls(.clientCertificate, _), .tls(.authorities, _): false
    case .library: true
    default: names.count > 1
    }
  }
}
