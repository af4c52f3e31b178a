import GarlandJSON
import GarlandTransfer
import GarlandResults
import GarlandWorkflow

/// Checks `expect.tls`: the properties of the TLS connection and the server's certificate.
extension ExpectationJudge {
  mutating func judgeTLS(_ fact: TLSFact, _ predicates: [Predicate], _ expectation: Expectation) {
    let subject = "tls.\(fact.rawValue)"
    guard let security = response.security else {
      failures.append(
        CheckFailure(.expectation, subject: subject, message: "is unknown: the connection did not use TLS", at: expectation.keyRange))
      return
    }
    let target: Target
    let value: JSONValue?
    let certificate = security.certificate
    let secondsLeft = certificate.map { Double($0.notAfter) - context.services.now() }
    switch fact {
    case .daysLeft: (target, value) = (.number, secondsLeft.map { JSONValue(Int(($0 / 86_400).rounded(.down))) })
    case .expiresIn: (target, value) = (.time, secondsLeft.flatMap { JSONNumber($0.rounded()).map { .number($0) } })
    case .subject: (target, value) = (.text, certificate.map { .string($0.subject) })
    case .issuer: (target, value) = (.text, certificate.map { .string($0.issuer) })
    case .san: (target, value) = (.text, certificate.map { .array($0.alternativeNames.map { .string($0) }) })
    case .fingerprint: (target, value) = (.text, certificate.map { .string($0.fingerprint) })
    case .version: (target, value) = (.text, .string(security.version))
    case .cipher: (target, value) = (.text, .string(security.cipherSuite))
    }
    let judge = PredicateJudge(context: context, target: target)
    for mismatch in judge.mismatches(predicates, of: value) {
      var failure = failure(mismatch, subject, expectation, excerpt: nil)
      if let certificate {
        failure.excerpt =
          "certificate of \(certificate)\nnames: \(certificate.alternativeNames.joined(separator: ", "))\nissuer: \(certificate.issuer)"
      }
      failures.append(failure)
    }
  }
}
