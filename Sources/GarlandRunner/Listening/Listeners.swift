import GarlandWorkflow

/// The steps of a run that listen: where each does, what has come for it, and whether anybody may still call it.
///
/// A value that is told what happens, and says for which steps that means something. A step is known by its index, an item of its loop by its place.
struct Listeners {
  /// A request that came, and when.
  struct Arrival: Sendable {
    let request: IncomingRequest
    let at: Duration
  }

  /// The items of a step that wait for a request, in order.
  struct Waiting {
    let step: Int
    let items: [Int]
  }

  private var listeners: [Int: Listener]
  /// Those whose URL a step names, by that step.
  private var byCaller: [Int: [Int]] = [:]
  /// Whose port each is.
  private var steps: [Int: Int] = [:]
  private var server: ListenServer?
  private let router = ListenRouter()

  /// - Parameter callers: for each step that listens those that name its URL and don't wait for it themselves.
  init(callers: [Int: [Int]]) {
    listeners = callers.mapValues(Listener.init)
    for (listening, callers) in callers.sorted(by: { $0.key < $1.key }) {
      for caller in callers { byCaller[caller, default: []].append(listening) }
    }
  }

  var isEmpty: Bool { listeners.isEmpty }

  /// The steps that listen, in order.
  var indexes: [Int] { listeners.keys.sorted() }

  func has(_ index: Int) -> Bool { listeners[index] != nil }

  /// Who names the URL of a step, and does not wait for it.
  func callers(of index: Int) -> [Int] { listeners[index]?.callers ?? [] }

  // MARK: Addresses

  /// Opens a port for each step.
  ///
  /// - Parameters:
  ///   - limits: for each step the largest body that it takes, or why nobody can know.
  ///   - arrived: is told what came, on the thread of the server.
  mutating func open(_ limits: [(index: Int, bodyLimit: Result<Int, ListenError>)], arrived: @escaping ListenServer.Arrived) {
    let router = router
    let server = ListenServer(answer: { port, request in router.status(for: request, at: port) }, arrived: arrived)
    self.server = server
    for (index, limit) in limits {
      do throws(ListenError) {
        let port = try server.open(bodyLimit: limit.get())
        steps[port] = index
        listeners[index]?.port = .success(port)
      } catch {
        listeners[index]?.port = .failure(error)
      }
    }
  }

  func shutDown() { server?.shutDown() }

  /// The port of a step, or why it has none; nil if it is not part of the run.
  func port(of index: Int) -> Result<Int, ListenError>? { listeners[index]?.port }

  /// The URL of a step, of one with a loop a list, once it is known.
  func address(of index: Int) -> Result<Value, ListenError>? { listeners[index]?.address }

  mutating func setAddress(_ address: Result<Value, ListenError>, of index: Int) { listeners[index]?.address = address }

  /// From now on requests to a path are for a step.
  mutating func setPath(_ path: ListenPath, of index: Int, at port: Int) {
    listeners[index]?.path = path
    router.set(path, for: port)
  }

  // MARK: Waiting

  /// What a step, or an item of its loop, has to do that begins to listen.
  enum Beginning {
    /// Its request has come.
    case take(Arrival)
    /// Nobody is left to send it.
    case giveUp
    /// From now on its time runs.
    case count
    /// It waits until those have sent that are to bring the request about.
    case wait
  }

  mutating func begins(_ index: Int, item: Int) -> Beginning {
    if let early = listeners[index]?.early.removeValue(forKey: item) { return .take(early) }
    listeners[index]?.waiting.insert(item)
    guard let listener = listeners[index], !listener.isHopeless else { return .giveUp }
    return listener.unsent.isEmpty ? .count : .wait
  }

  mutating func stopped(_ index: Int, item: Int) { listeners[index]?.waiting.remove(item) }

  /// Where a request is expected, and what came instead, in lines; no lines if nothing did.
  func expectation(of index: Int, item: Int) -> (path: String?, strays: [String])? {
    guard let listener = listeners[index] else { return nil }
    let more = listener.strayCount - listener.strays.count
    return (listener.path?.path(of: item), listener.strays + (more > 0 ? ["… (\(more) more)"] : []))
  }

  // MARK: Callers

  /// Whether a step matters to one that listens.
  func isCalled(by index: Int) -> Bool { byCaller[index] != nil }

  /// A step has sent all that it sends at first. Returns those whose time runs from now on.
  mutating func hasSent(_ index: Int) -> [Waiting] {
    var counting: [Waiting] = []
    for listening in byCaller[index] ?? [] where listeners[listening]?.unsent.remove(index) != nil {
      if let listener = listeners[listening], listener.unsent.isEmpty { counting.append(listener.waiting(at: listening)) }
    }
    return counting
  }

  /// A step has ended. Returns those that wait for nobody any more: all have ended that were to bring the request about, and none of them has.
  mutating func ended(_ index: Int, mayHaveCalled: Bool) -> [Waiting] {
    var hopeless: [Waiting] = []
    for listening in byCaller[index] ?? [] {
      listeners[listening]?.callersLeft -= 1
      if mayHaveCalled { listeners[listening]?.mayBeCalled = true }
      if let listener = listeners[listening], listener.isHopeless { hopeless.append(listener.waiting(at: listening)) }
    }
    return hopeless
  }

  // MARK: Arriving

  /// Which step has a port.
  func step(at port: Int) -> Int? { steps[port] }

  /// Something has come for a step. Returns the item that waits for it; of those that have not begun it is kept.
  ///
  /// - Parameter isKept: whether the step may still begin.
  mutating func arrived(_ arrival: ListenServer.Arrival, for index: Int, at time: Duration, isKept: Bool) -> (item: Int, Arrival)? {
    switch arrival {
    case .refused(let reason): listeners[index]?.note(stray: "what is no request: \(reason)")
    case .request(let request):
      guard let item = listeners[index]?.path?.item(for: request.path) else {
        listeners[index]?.note(stray: "\(request.method) \(Shown.cut(request.target, 200))")
        return nil
      }
      // The first is the one that is waited for.
      guard listeners[index]?.served.insert(item).inserted == true else { return nil }
      let arrival = Arrival(request: request, at: time)
      if listeners[index]?.waiting.contains(item) == true { return (item, arrival) }
      if isKept { listeners[index]?.early[item] = arrival }
    }
    return nil
  }
}

/// What is known of a step that listens.
private struct Listener {
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
  var waiting: Set<Int> = []
  /// The first request for each item that came before that item had begun.
  var early: [Int: Listeners.Arrival] = [:]
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

  func waiting(at index: Int) -> Listeners.Waiting { Listeners.Waiting(step: index, items: waiting.sorted()) }

  /// Notes what was not meant for it.
  mutating func note(stray: String) {
    strayCount += 1
    if strays.count < 8 { strays.append(stray) }
  }
}
