import GarlandTransfer
import HTTPTypes

/// What a run knows of the hosts it talks to, with the runs of the documents that it calls: what one of them has paid for, none pays for again.
///
/// `@unchecked Sendable`: before the first run starts, one thread alone knows it; from then on it is read and written only by the methods of runs, all of
/// which live on the thread of the same engine.
final class Hosts: @unchecked Sendable {
  /// Stops the steps of a run that are on their way to a host that is down.
  typealias Sparing = @Sendable (CircuitKey, Diagnosis) -> Void

  /// What is known of a host by somebody whose request has failed there.
  enum Standing {
    /// What a probe has found, if one has been there.
    case known(ProbeReport?)
    /// It is being looked into.
    case inQuestion
    /// It has to be looked into.
    case unknown
  }

  private var numbers: [Origin: Int] = [:]
  private var origins: [Origin] = []
  /// Hosts that could not be reached.
  private var circuits: [CircuitKey: Circuit] = [:]
  /// Steps that wait until it is known why their host could not be reached. They are told why they are not sent; nil: they are.
  private var parked: [CircuitKey: [@Sendable (Diagnosis?) -> Void]] = [:]
  /// Steps whose failure is being looked into.
  private var diagnosed: [CircuitKey: [@Sendable (Diagnosis) -> Void]] = [:]
  /// The answers of each origin; nil for one that has not answered.
  private var answers: [OriginAnswers?] = []
  /// What looks into failures, made when there is one.
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

  /// What a step may do that wants to be sent, and the number of the trial that it then is; nil: nothing is known of its host.
  func decide(_ key: CircuitKey, at now: Duration) -> (decision: Circuit.Decision, trial: Int)? {
    guard var circuit = circuits[key] else { return nil }
    trialCount += 1
    let decision = circuit.decide(for: trialCount, at: now)
    circuits[key] = circuit
    return (decision, trialCount)
  }

  /// Keeps a step waiting until it is known what is wrong with its host.
  func park(_ key: CircuitKey, until goOn: @escaping @Sendable (Diagnosis?) -> Void) { parked[key, default: []].append(goOn) }

  /// A step that was let through has ended.
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
    // One that is being looked into comes to its end by itself.
    if circuits[key]?.isDiagnosing == true { circuits[key]?.noteAnswer() } else { circuits[key] = nil }
  }

  /// Whether an origin has answered somebody since then.
  func hasAnswered(_ number: Int, since time: Duration) -> Bool { answers(of: number).map { $0.last > time } ?? false }

  private func answers(of number: Int) -> OriginAnswers? { answers.indices.contains(number) ? answers[number] : nil }

  // MARK: Failures

  /// What is known of a host at which a request has failed. If it is unknown, from now on it is in question: whoever asked looks into it.
  ///
  /// - Parameter cost: how long the failure took.
  func standing(_ key: CircuitKey, cost: Duration) -> Standing {
    if let circuit = circuits[key] { return circuit.isDiagnosing ? .inQuestion : .known(circuit.diagnosis?.report) }
    circuits[key] = Circuit(cost: cost)
    return .unknown
  }

  /// Keeps a step waiting whose failure is being looked into.
  func waitForReport(_ key: CircuitKey, _ goOn: @escaping @Sendable (Diagnosis) -> Void) { diagnosed[key, default: []].append(goOn) }

  /// What to ask, and where, to find out why a host did not answer; nil for a host that nobody knows.
  ///
  /// - Parameters:
  ///   - suspicion: what the failure raises.
  ///   - request: the request that has failed.
  func inquiry(_ key: CircuitKey, after error: NetworkingError, _ suspicion: Suspicion, of request: TransferRequest) -> HostInquiry? {
    guard let origin = origin(key.origin) else { return nil }
    let known = probe ?? ReachabilityProbe()
    probe = known
    return HostInquiry(
      about: ProbeTarget(origin), answers(of: key.origin), after: error, suspicion, of: request, by: known)
  }

  /// It is known what is in the way, or that nothing is: tells all who wait for that.
  func concluded(_ key: CircuitKey, _ diagnosis: Diagnosis, at now: Duration) {
    let isDown = diagnosis.isDown && circuits[key]?.hasAnswered == false
    if isDown {
      circuits[key]?.open(diagnosis, at: now)
      // Before anybody new is on the way, who is let through on purpose.
      for run in runs { run.spare(key, diagnosis) }
    } else {
      circuits[key] = nil
    }
    for goOn in diagnosed.removeValue(forKey: key) ?? [] { goOn(diagnosis) }
    for goOn in parked.removeValue(forKey: key) ?? [] { goOn(isDown ? diagnosis : nil) }
  }
}
