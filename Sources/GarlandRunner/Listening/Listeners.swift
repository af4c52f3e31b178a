import GarlandWorkflow
import Synchronization

/// The state of a run's listening steps: for each listening step, the port, the received requests, and the callers. The callers are the
/// steps that use the URL of the listening step, so one of them can cause the request for which the listening step waits.
///
/// This value receives events and returns the steps that they affect. A step is identified by its index, and an item of its loop by the
/// item's index.
struct Listeners {
  /// A received request, with the time of its arrival.
  struct Arrival: Sendable {
    let request: IncomingRequest
    let at: Duration
  }

  /// The items of a listening step's loop that are waiting for a request, in the order of the loop.
  struct Waiting {
    let step: Int
    let items: [Int]
  }

  private var listeners: [Int: Listener] = [:]
  /// For each caller: the indexes of all listening steps whose URLs the caller uses. A caller is a step that uses the URL of a listening
  /// step and does not wait for the listening step.
  private var byCaller: [Int: [Int]] = [:]
  /// Maps the number of each port to the index of the step that listens on it.
  private var steps: [Int: Int] = [:]
  private var server: ListenServer?
  /// The paths at which the server accepts requests; nil until a port is opened.
  private var router: ListenRouter?

  /// Creates the state of all listening steps.
  ///
  /// - Parameter callers: for each listening step, its callers: the steps that use the listening step's URL and do not wait for the
  ///   listening step.
  init(callers: [Int: [Int]]) {
    guard !callers.isEmpty else { return }
    listeners = callers.mapValues(Listener.init)
    for (listening, callers) in callers.sorted(by: { $0.key < $1.key }) {
      for caller in callers { byCaller[caller, default: []].append(listening) }
    }
  }

  var isEmpty: Bool { listeners.isEmpty }

  /// The indexes of the listening steps, in order.
  var indexes: [Int] { listeners.keys.sorted() }

  func has(_ index: Int) -> Bool { listeners[index] != nil }

  /// Returns the callers of a listening step: the steps that use its URL and do not wait for it to end.
  func callers(of index: Int) -> [Int] { listeners[index]?.callers ?? [] }

  // MARK: Addresses

  /// Opens a port for each listening step.
  ///
  /// - Parameters:
  ///   - limits: for each step, the maximum size of a request's body, or the reason why this limit is unknown.
  ///   - arrived: is called with each received request, on the server's thread.
  mutating func open(_ limits: [(index: Int, bodyLimit: Result<Int, ListenError>)], arrived: @escaping ListenServer.Arrived) {
    let router = ListenRouter()
    self.router = router
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

  /// Returns the port of a step, or the reason why the step has no port; nil if the step is not part of the run.
  func port(of index: Int) -> Result<Int, ListenError>? { listeners[index]?.port }

  /// Returns the URL of a listening step (a list of URLs for a step with a loop), or the reason why the step has no URL. Returns nil while
  /// neither is known.
  func address(of index: Int) -> Result<Value, ListenError>? { listeners[index]?.address }

  mutating func setAddress(_ address: Result<Value, ListenError>, of index: Int) { listeners[index]?.address = address }

  /// Sets the path of a step's URL. From now on, the server accepts requests to this path.
  mutating func setPath(_ path: ListenPath, of index: Int, at port: Int) {
    listeners[index]?.path = path
    router?.set(path, for: port)
  }

  // MARK: Waiting

  /// The first action of a listening step, or of an item of its loop.
  enum Beginning {
    /// The step takes a request that arrived before the step began.
    case take(Arrival)
    /// The step fails, because all steps that could have caused the expected request have ended.
    case giveUp
    /// The listening step waits for a request. The time limit of the step starts now.
    case count
    /// The listening step waits for a request. The time limit of the step starts later: when all steps that use its URL have sent their
    /// first requests.
    case wait
  }

  mutating func begins(_ index: Int, item: Int) -> Beginning {
    if let early = listeners[index]?.early.removeValue(forKey: item) { return .take(early) }
    listeners[index]?.waiting.insert(item)
    guard let listener = listeners[index], !listener.isHopeless else { return .giveUp }
    return listener.unsent.isEmpty ? .count : .wait
  }

  mutating func stopped(_ index: Int, item: Int) { listeners[index]?.waiting.remove(item) }

  /// Returns the path at which a listening step expects a request, and descriptions of requests that arrived for other paths. The message
  /// of a failure shows both. Returns nil if the step does not listen.
  func expectation(of index: Int, item: Int) -> (path: String?, strays: [String])? {
    guard let listener = listeners[index] else { return nil }
    let more = listener.strayCount - listener.strays.count
    return (listener.path?.path(of: item), listener.strays + (more > 0 ? ["… (\(more) more)"] : []))
  }

  // MARK: Callers

  /// Whether a step uses the URL of any listening step.
  func isCalled(by index: Int) -> Bool { byCaller[index] != nil }

  /// Records that a step, or each item of the step's loop, has sent its first request. Returns each listening step whose time limit starts
  /// now, because all steps that use its URL have sent their first requests.
  mutating func hasSent(_ index: Int) -> [Waiting] {
    var counting: [Waiting] = []
    for listening in byCaller[index] ?? [] where listeners[listening]?.unsent.remove(index) != nil {
      if let listener = listeners[listening], listener.unsent.isEmpty { counting.append(listener.waiting(at: listening)) }
    }
    return counting
  }

  /// Records that a step has ended. Returns the listening steps that still wait but can no longer receive a request, because all steps
  /// that use their URLs have ended without causing a request.
  ///
  /// - Parameter mayHaveCalled: whether the ended step may have caused a request that has not arrived yet.
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

  /// Returns the index, in the plan, of the step that listens on a port; nil if no step listens on the port.
  func step(at port: Int) -> Int? { steps[port] }

  /// Records a request that arrived for a listening step. If the loop item to which the request belongs is waiting, returns the item and
  /// the request. If the item has not begun yet, stores the request and returns nil.
  ///
  /// - Parameter isKept: whether the request may be stored for an item that has not begun. False if the step has already ended.
  mutating func arrived(_ arrival: ListenServer.Arrival, for index: Int, at time: Duration, isKept: Bool) -> (item: Int, Arrival)? {
    switch arrival {
    case .refused(let reason): listeners[index]?.note(stray: "an invalid request: \(reason)")
    case .request(let request):
      guard let item = listeners[index]?.path?.item(for: request.path) else {
        listeners[index]?.note(stray: "\(request.method) \(Shown.cut(request.target, 200))")
        return nil
      }
      // Only the first request of an item counts.
      guard listeners[index]?.served.insert(item).inserted == true else { return nil }
      let arrival = Arrival(request: request, at: time)
      if listeners[index]?.waiting.contains(item) == true { return (item, arrival) }
      if isKept { listeners[index]?.early[item] = arrival }
    }
    return nil
  }
}

/// A step that listens for a request: its URL, the steps that can cause the request, and the requests that have arrived.
private struct Listener {
  /// The steps that use the URL of the listening step and do not wait for that step to end.
  let callers: [Int]
  /// The port, or the reason why it could not be opened; nil before the ports are opened.
  var port: Result<Int, ListenError>?
  /// The URL of the step, or the list of the URLs of a step with a loop. A failure contains the reason why the step has no URL. Nil before
  /// the URL is first used.
  var address: Result<Value, ListenError>?
  /// The path at which the step receives requests; nil until the path is known.
  var path: ListenPath?
  /// The number of ``callers`` that have not ended.
  var callersLeft: Int
  /// Whether a request that has not arrived yet may have been caused by one of the ``callers`` that have ended.
  var mayBeCalled = false
  /// The ``callers`` that have not sent their first request. A caller with a loop stays in this set until each of its items has sent its
  /// first request. The time limit of the listening step starts when the set is empty.
  var unsent: Set<Int>
  /// The items that are listening now, by their positions in the loop.
  var waiting: Set<Int> = []
  /// For each loop item that has not begun yet, the first request for this item, if the request has already arrived. The key is the index
  /// of the item.
  var early: [Int: Listeners.Arrival] = [:]
  /// The indexes of the loop items for which a request has arrived. Later requests for these items are ignored.
  var served: Set<Int> = []
  /// Descriptions of the first few requests that matched no step.
  private(set) var strays: [String] = []
  private(set) var strayCount = 0

  init(callers: [Int]) {
    self.callers = callers
    callersLeft = callers.count
    unsent = Set(callers)
  }

  /// Whether no further request can arrive. This is the case when all ``callers`` (the steps that use the URL and do not wait for the
  /// listening step) have ended, and all requests that they caused have arrived. False if there are no callers.
  var isHopeless: Bool { !callers.isEmpty && callersLeft == 0 && !mayBeCalled }

  func waiting(at index: Int) -> Listeners.Waiting { Listeners.Waiting(step: index, items: waiting.sorted()) }

  /// Counts a request that matched no listening step, and stores the description of the first few such requests.
  mutating func note(stray: String) {
    strayCount += 1
    if strays.count < 8 { strays.append(stray) }
  }
}

/// The paths at which steps listen, by port. The run sets these paths. The server's thread reads them to choose the status of a response.
final class ListenRouter: Sendable {
  private let paths = Mutex<[Int: ListenPath]>([:])

  func set(_ path: ListenPath, for port: Int) { paths.withLock { $0[port] = path } }

  /// Returns the status of the response to a request: 200 if a step listens for it, otherwise 404.
  func status(for request: IncomingRequest, at port: Int) -> Int {
    paths.withLock { $0[port] }?.item(for: request.path) == nil ? 404 : 200
  }
}
