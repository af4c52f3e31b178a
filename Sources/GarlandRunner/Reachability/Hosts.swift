import GarlandTransfer
import HTTPTypes

/// What a run knows of the hosts it talks to, with the runs of the documents that it calls: what one of them has paid for, none pays for again.
///
/// `@unchecked Sendable`: before the first run starts, one thread alone knows it; from then on it is read and written only by the methods of runs, all of
/// which live on the thread of the same engine.
final class Hosts: @unchecked Sendable {
  /// A step, and the run that it belongs to.
  struct Held {
    let run: Run
    let step: ActiveStep
  }

  private var numbers: [Origin: Int] = [:]
  private var origins: [Origin] = []
  /// Hosts that could not be reached.
  var circuits: [CircuitKey: Circuit] = [:]
  /// Steps that wait until it is known why their host could not be reached.
  var parked: [CircuitKey: [Held]] = [:]
  /// Steps whose failure is being looked into.
  var diagnosed: [CircuitKey: [Held]] = [:]
  /// The answers of each origin; nil for one that has not answered.
  private var answers: [OriginAnswers?] = []
  /// What looks into failures, made when there is one.
  var probe: ReachabilityProbe?
  private var trialCount = 0
  /// The runs under way.
  private(set) var runs: [Run] = []

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

  /// A number that no trial has had yet.
  func nextTrial() -> Int {
    trialCount += 1
    return trialCount
  }

  /// An origin has answered a request for a URL.
  func noteAnswer(of number: Int, to url: String, _ method: HTTPRequest.Method, at time: Duration) {
    while answers.count <= number { answers.append(nil) }
    if answers[number] == nil {
      answers[number] = OriginAnswers(url, method, at: time)
    } else {
      answers[number]?.note(url, method, at: time)
    }
  }

  /// What an origin has answered in this run, if it has.
  func answers(of number: Int) -> OriginAnswers? { answers.indices.contains(number) ? answers[number] : nil }

  func began(_ run: Run) { runs.append(run) }

  func ended(_ run: Run) { runs.removeAll { $0 === run } }
}
