import GarlandTransfer
import HTTPTypes

/// The state of the hosts of a run and of the runs of documents that it calls: a failure that one
/// of them has waited for is known to all.
///
/// `@unchecked Sendable`: before the first run starts, one thread alone knows it; from then on it
/// is read and written only by the methods of runs, all of which live on the thread of the same
/// engine.
final class Hosts: @unchecked Sendable {
  /// Stops the steps of a run that are on their way to a host that is down.
  typealias Sparing = @Sendable (CircuitKey, Diagnosis) -> Void

  /// The state of a host for a step whose request has failed there.
  enum Standing {
    /// The result of the probe, if there was one.
    case known(ProbeReport?)
    /// A diagnosis is under way.
    case inQuestion
    /// The caller has to diagnose the host.
    case unknown
  }

  private var numbers: [Origin: Int] = [:]
  private var origins: [Origin] = []
  /// Hosts that could not be reached.
  private var circuits: [CircuitKey: Circuit] = [:]
  /// Steps that wait until the cause of their host's failure is known. They receive the reason why
  /// they are not sent; nil: they are sent.
  private var parked: [CircuitKey: [@Sendable (Diagnosis?) -> Void]] = [:]
  /// Steps whose failure is being looked into.
  private var diagnosed: [CircuitKey: [@Sendable (Diagnosis) -> Void]] = [:]
  /// The answers of each origin; nil for one that has not answered.
  private var answers: [OriginAnswers?] = []
  /// The probe of failures, made at the first one.
  private var probe: ReachabilityProbe?
  private var trialCount = 0
  /// The runs under way.
  private var runs: [(id: ObjectIdentifier, spare: Sparing)] = []

  /// The number of an origin, the same for all runs.
  func number(of origin: Origin) -> Int {
    if let number = numbers[origin] { return number }
    let number = origins.count
    numbers[origin] = number
    origins.append(origin)
    return number
  }

  /// The origin of a number.
  func origin(_ number: Int) -> Origin? { origins.indices.contains(number) ? origins[number] : nil }

  func began(_ run: ObjectIdentifier, sparing spare: @escaping Sparing) { runs.append((run, spare)) }

  func ended(_ run: ObjectIdentifier) { runs.removeAll { $0.id == run } }

  // MARK: Before a step is sent

  /// Whether no host is known to be down: then there is nothing to be decided.
  var areAllWell: Bool { circuits.isEmpty }

  /// Returns the decision for a step, and the number of its trial; nil if the host has not failed.
  func decide(_ key: CircuitKey, at now: Duration) -> (decision: Circuit.Decision, trial: Int)? {
    guard var circuit = circuits[key] else { return nil }
    trialCount += 1
    let decision = circuit.decide(for: trialCount, at: now)
    circuits[key] = circuit
    return (decision, trialCount)
  }

  /// Keeps a step waiting until it is known what is wrong with its host.
  func park(_ key: CircuitKey, until goOn: @escaping @Sendable (Diagnosis?) -> Void) { parked[key, default: []].append(goOn) }

  /// Notes that a trial step has ended.
  func ended(trial: Int, _ key: CircuitKey, at now: Duration) { circuits[key]?.ended(trial, at: now) }

  // MARK: Answers

  /// An origin has answered a request for a URL that travelled by these settings.
  func noteAnswer(of number: Int, to url: String, _ method: HTTPRequest.Method, by settings: TransferSettings, at time: Duration) {
    while answers.count <= number { answers.append(nil) }
    if answers[number] == nil {
      answers[number] = OriginAnswers(url, method, at: time)
    } else {
      answers[number]?.note(url, method, at: time)
    }
    guard !circuits.isEmpty else { return }
    let key = CircuitKey(origin: number, settings)
    // A circuit under diagnosis ends by itself.
    if circuits[key]?.isDiagnosing == true { circuits[key]?.noteAnswer() } else { circuits[key] = nil }
  }

  /// Whether an origin has answered any step since a time.
  func hasAnswered(_ number: Int, since time: Duration) -> Bool { answers(of: number).map { $0.last > time } ?? false }

  private func answers(of number: Int) -> OriginAnswers? { answers.indices.contains(number) ? answers[number] : nil }

  // MARK: Failures

  /// Returns the state of a host at which a request has failed. If it is unknown, the host is now
  /// under diagnosis, which the caller has to carry out.
  ///
  /// - Parameter cost: how long the failure took.
  func standing(_ key: CircuitKey, cost: Duration) -> Standing {
    if let circuit = circuits[key] { return circuit.isDiagnosing ? .inQuestion : .known(circuit.diagnosis?.report) }
    circuits[key] = Circuit(cost: cost)
    return .unknown
  }

  /// Keeps a step waiting whose failure is being looked into.
  func waitForReport(_ key: CircuitKey, _ goOn: @escaping @Sendable (Diagnosis) -> Void) { diagnosed[key, default: []].append(goOn) }

  /// Returns the probe that diagnoses a host without a response; nil for an unknown host.
  ///
  /// - Parameters:
  ///   - suspicion: the suspicion that the failure raises.
  ///   - request: the request that has failed.
  func inquiry(_ key: CircuitKey, after error: NetworkingError, _ suspicion: Suspicion, of request: TransferRequest) -> HostInquiry? {
    guard let origin = origin(key.origin) else { return nil }
    let known = probe ?? ReachabilityProbe()
    probe = known
    return HostInquiry(
      about: ProbeTarget(origin), answers(of: key.origin), after: error, suspicion, of: request, by: known)
  }

  /// Ends a diagnosis, with a cause or without, and notifies all waiting steps.
  func concluded(_ key: CircuitKey, _ diagnosis: Diagnosis, at now: Duration) {
    let isDown = diagnosis.isDown && circuits[key]?.hasAnswered == false
    if isDown {
      circuits[key]?.open(diagnosis, at: now)
      // First, so that trial requests that start afterwards are not stopped.
      for run in runs { run.spare(key, diagnosis) }
    } else {
      circuits[key] = nil
    }
    for goOn in diagnosed.removeValue(forKey: key) ?? [] { goOn(diagnosis) }
    for goOn in parked.removeValue(forKey: key) ?? [] { goOn(isDown ? diagnosis : nil) }
  }
}
