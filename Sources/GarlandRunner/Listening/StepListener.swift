import GarlandWorkflow

/// What a run knows of a step that listens.
struct StepListener {
  /// A request that came, and when.
  struct Arrival: Sendable {
    let request: IncomingRequest
    let at: Duration
  }

  /// Steps that name the URL and don't wait for this step themselves.
  let callers: [Int]
  /// The port, or why there is none.
  var port: Result<Int, ListenError>?
  /// The URL, of a loop a list, when it has been asked for, or why there is none.
  var address: Result<Value, ListenError>?
  /// Where requests are meant for it, as soon as somebody can know.
  var path: ListenPath?
  /// How many of ``callers`` have not ended.
  var callersLeft: Int
  /// Whether one of those that have may have brought the request about.
  var mayBeCalled = false
  /// Those of ``callers`` that have not sent all they are to send at first: nobody can be late for what this machine has not asked for yet.
  var unsent: Set<Int>
  /// What listens now, by its place in the loop.
  var waiting: [Int: ActiveStep] = [:]
  /// The first request for each item that came before that item had begun.
  var early: [Int: Arrival] = [:]
  /// Items for which a request has been taken.
  var served: Set<Int> = []
  /// What came and was not for it, in words, the first few.
  private(set) var strays: [String] = []
  private(set) var strayCount = 0

  init(callers: [Int]) {
    self.callers = callers
    callersLeft = callers.count
    unsent = Set(callers)
  }

  /// Whether nobody is left who could be called by.
  var isHopeless: Bool { !callers.isEmpty && callersLeft == 0 && !mayBeCalled }

  /// Notes what was not meant for it.
  mutating func note(stray: String) {
    strayCount += 1
    if strays.count < 8 { strays.append(stray) }
  }
}
