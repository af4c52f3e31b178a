import GarlandTransfer
import HTTPTypes

/// The reachability of all hosts of a run, shared with the runs of called documents. If a request to a host has failed in one of these
/// runs, the other runs don't wait for the same failure again.
///
/// `@unchecked Sendable`: before the first run starts, only one thread uses the object. From then on, only methods of runs read and write
/// it, and these methods run on the thread of one engine.
final class Hosts: @unchecked Sendable {
  /// A function that is called if a host was found to be down. It cancels the current requests that a run has sent to this host.
  typealias Sparing = @Sendable (CircuitKey, Diagnosis) -> Void

  /// The state of the search for the cause of a failed request to a host.
  enum Standing {
    /// The cause of the request's failure is known. The associated value is the result of the probe; nil if no probe was made.
    case known(ProbeReport?)
    /// A probe is searching for the cause of the failure.
    case inQuestion
    /// The cause of the request's failure is unknown. No probe is searching for the cause, so the caller must start a probe.
    case unknown
  }

  private var numbers: [Origin: Int] = [:]
  private var origins: [Origin] = []
  /// The circuit breakers of hosts that could not be reached.
  private var circuits: [CircuitKey: Circuit] = [:]
  /// The callbacks of the steps that wait until the cause of their host's failure is known. A callback receives nil if its step may send
  /// the request; otherwise it receives the cause of the failure.
  private var parked: [CircuitKey: [@Sendable (Diagnosis?) -> Void]] = [:]
  /// The callbacks of failed steps. Each callback is called with the cause of the failure as soon as the cause is known.
  private var diagnosed: [CircuitKey: [@Sendable (Diagnosis) -> Void]] = [:]
  /// The responses of each origin: the time of the last response, and the URLs of some requests to which the origin responded. Nil for an
  /// origin that has not responded yet. The index is the number of the origin (``number(of:)``).
  private var answers: [OriginAnswers?] = []
  /// The probe that searches for the causes of failures. It is created at the first failure.
  private var probe: (any HostProbe)?
  private var trialCount = 0
  /// The runs in progress, each with the function that cancels its requests to a host.
  private var runs: [(id: ObjectIdentifier, spare: Sparing)] = []

  /// Returns the number of an origin (scheme, host and port). A new origin gets the next free number. All runs that share this object use
  /// the same numbers.
  func number(of origin: Origin) -> Int {
    if let number = numbers[origin] { return number }
    let number = origins.count
    numbers[origin] = number
    origins.append(origin)
    return number
  }

  /// Returns the scheme, host and port that have the given number; nil if no origin has this number.
  func origin(_ number: Int) -> Origin? { origins.indices.contains(number) ? origins[number] : nil }

  func began(_ run: ObjectIdentifier, sparing spare: @escaping Sparing) { runs.append((run, spare)) }

  func ended(_ run: ObjectIdentifier) { runs.removeAll { $0.id == run } }

  // MARK: Before a step is sent

  /// Whether no host is down, and no host is being probed after a failure. If true, every request may be sent.
  var areAllWell: Bool { circuits.isEmpty }

  /// Decides what a step does: it sends its request, waits until the cause of an earlier failure is known, or ends with the outcome
  /// `unreachable`. Returns nil if no request to the host has failed; the step then sends its request.
  ///
  /// A request may be sent as a trial request, which tests whether the host is up again (see ``Circuit``). The returned number `trial` then
  /// identifies this request.
  func decide(_ key: CircuitKey, at now: Duration) -> (decision: Circuit.Decision, trial: Int)? {
    guard var circuit = circuits[key] else { return nil }
    trialCount += 1
    let decision = circuit.decide(for: trialCount, at: now)
    circuits[key] = circuit
    return (decision, trialCount)
  }

  /// Stores the callback `goOn` of a step that waits for the result of a probe of its host. After the probe, the callback receives the
  /// reason why the step can't send its request, or nil if the step sends its request.
  func park(_ key: CircuitKey, until goOn: @escaping @Sendable (Diagnosis?) -> Void) { parked[key, default: []].append(goOn) }

  /// Records that a trial request to a host whose circuit is open has ended (see ``Circuit``).
  func ended(trial: Int, _ key: CircuitKey, at now: Duration) { circuits[key]?.ended(trial, at: now) }

  // MARK: Answers

  /// Records that an origin has responded to a request for a URL. The request was sent with the given settings.
  func noteAnswer(of number: Int, to url: String, _ method: HTTPRequest.Method, by settings: TransferSettings, at time: Duration) {
    while answers.count <= number { answers.append(nil) }
    if answers[number] == nil {
      answers[number] = OriginAnswers(url, method, at: time)
    } else {
      answers[number]?.note(url, method, at: time)
    }
    guard !circuits.isEmpty else { return }
    let key = CircuitKey(origin: number, settings)
    // A circuit that is still being diagnosed is closed at the end of the diagnosis, since the host has responded.
    if circuits[key]?.isDiagnosing == true { circuits[key]?.noteAnswer() } else { circuits[key] = nil }
  }

  /// Whether an origin has responded to any step since the given time.
  func hasAnswered(_ number: Int, since time: Duration) -> Bool { answers(of: number).map { $0.last > time } ?? false }

  private func answers(of number: Int) -> OriginAnswers? { answers.indices.contains(number) ? answers[number] : nil }

  // MARK: Failures

  /// Returns the state of a host to which a request has failed. If the state is ``Standing/unknown``, the caller must start a probe. Until
  /// the probe has ended, further calls return ``Standing/inQuestion``.
  ///
  /// - Parameter cost: the time until the request failed.
  func standing(_ key: CircuitKey, cost: Duration) -> Standing {
    if let circuit = circuits[key] { return circuit.isDiagnosing ? .inQuestion : .known(circuit.diagnosis?.report) }
    circuits[key] = Circuit(cost: cost)
    return .unknown
  }

  /// Calls `goOn` with the cause of a host's failure as soon as a probe has found the cause. The step whose request has failed does not end
  /// before `goOn` is called.
  func waitForReport(_ key: CircuitKey, _ goOn: @escaping @Sendable (Diagnosis) -> Void) { diagnosed[key, default: []].append(goOn) }

  /// Returns the probe that finds out why a host did not respond; nil if the origin in `key` is unknown.
  ///
  /// - Parameters:
  ///   - suspicion: the question that the probe answers: whether a connection can be established, or whether the host responds on a
  ///     connection.
  ///   - request: the request that has failed.
  ///   - transport: creates the probe for the first failure.
  func inquiry(
    _ key: CircuitKey, after error: NetworkingError, _ suspicion: Suspicion, of request: TransferRequest, on transport: any Transport
  ) -> HostInquiry? {
    guard let origin = origin(key.origin) else { return nil }
    let known = probe ?? transport.hostProbe()
    probe = known
    return HostInquiry(
      about: ProbeTarget(origin), answers(of: key.origin), after: error, suspicion, of: request, by: known)
  }

  /// Stores the result of the search for the cause of a failed transfer, and notifies all waiting steps, even if the cause was not found.
  func concluded(_ key: CircuitKey, _ diagnosis: Diagnosis, at now: Duration) {
    let isDown = diagnosis.isDown && circuits[key]?.hasAnswered == false
    if isDown {
      circuits[key]?.open(diagnosis, at: now)
      // The requests are cancelled before the waiting steps continue, so that later trial requests are not cancelled.
      for run in runs { run.spare(key, diagnosis) }
    } else {
      circuits[key] = nil
    }
    for goOn in diagnosed.removeValue(forKey: key) ?? [] { goOn(diagnosis) }
    for goOn in parked.removeValue(forKey: key) ?? [] { goOn(isDown ? diagnosis : nil) }
  }
}

/// Identifies the requests that would fail for the same reason: requests to the same origin with the same connection settings.
struct CircuitKey: Hashable, Sendable {
  let origin: Int
  private let proxy: ProxySetting
  private let resolve: [ResolveOverride]
  private let connectTo: [ConnectOverride]
  private let unixSocket: String?
  private let interface: String?
  private let addressFamily: AddressFamily
  private let tls: TLSSettings

  init(origin: Int, _ settings: TransferSettings) {
    self.origin = origin
    proxy = settings.proxy
    resolve = settings.resolve
    connectTo = settings.connectTo
    unixSocket = settings.unixSocket
    interface = settings.interface
    addressFamily = settings.addressFamily
    tls = settings.tls
  }
}
