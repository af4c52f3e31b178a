import GarlandWorkflow

/// Properties of a step's expectations, such as whether one of them is about the status.
struct StepTraits: OptionSet, Sendable {
  let rawValue: UInt16

  /// The step expects that the transfer fails with an error; see ``Step/expectsError``.
  static let expectsError = StepTraits(rawValue: 1 << 0)
  /// The step has an expectation for the TLS connection or the server's certificate.
  static let looksAtTLS = StepTraits(rawValue: 1 << 1)
  /// The step has an expectation about the status.
  static let saysStatus = StepTraits(rawValue: 1 << 2)
  /// The step has an expectation about the media type.
  static let saysType = StepTraits(rawValue: 1 << 3)
  /// The step may expect a status that is a redirect, such as 302, so the redirect must not be followed.
  static let mayExpectRedirect = StepTraits(rawValue: 1 << 4)
  /// Checking the response may take long, even if the response is small.
  static let isHeavy = StepTraits(rawValue: 1 << 5)
  /// A check or another step reads the body.
  static let needsBody = StepTraits(rawValue: 1 << 6)

  /// A GraphQL response with `errors` is a failure; see ``Step/graphQL``.
  static let refusesErrors = StepTraits(rawValue: 1 << 7)

  /// The values that expectations compare are recorded, because a report shows them.
  static let keepsFound = StepTraits(rawValue: 1 << 8)

  init(rawValue: UInt16) { self.rawValue = rawValue }

  init(of step: Step) {
    var traits: StepTraits = []
    // The condition of a poll is an expectation as well.
    for expectation in step.judged {
      switch expectation.check {
      case .status(let patterns):
        traits.insert(.saysStatus)
        if patterns.contains(where: { $0.constant?.admitsRedirects ?? true }) { traits.insert(.mayExpectRedirect) }
      case .statusPredicates: traits.formUnion([.saysStatus, .mayExpectRedirect])
      case .type, .typePredicates: traits.insert(.saysType)
      case .error: traits.insert(.expectsError)
      case .tls: traits.insert(.looksAtTLS)
      default: break
      }
    }
    if step.graphQL != nil { traits.insert(.refusesErrors) }
    if HeavyWork.isHeavy(step) { traits.insert(.isHeavy) }
    if step.neededByItself.union(step.neededByOthers).needsBody { traits.insert(.needsBody) }
    self = traits
  }
}

/// Values that the checks of a step's responses need and that depend only on the step: its traits, and the places of the values that the
/// checks read from JSON bodies. They are computed once for each step, and not for each response.
final class PreparedChecks: Sendable {
  let traits: StepTraits
  let bodyPaths: BodyPaths

  /// Creates the values for a step.
  ///
  /// - Parameter common: the traits that all steps have because of the settings of the run, such as ``StepTraits/keepsFound``.
  init(of step: Step, common: StepTraits = []) {
    traits = StepTraits(of: step).union(common)
    bodyPaths = BodyPaths(of: step)
  }
}
