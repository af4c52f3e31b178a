import GarlandJSON
import GarlandTransfer

/// A step, or one item of its loop, that is in progress.
///
/// `@unchecked Sendable`: only the methods of the run, which is an actor, read and write the properties of this class. Closures that the
/// engine calls may contain a reference to the object, but use it only within `isolated` or `assumeIsolated` of the run.
final class ActiveStep: @unchecked Sendable {
  let index: Int
  let item: Item
  var target = Target()
  var times = Times()
  var host = Host()
  var tokens = Tokens()
  var incoming = Incoming()
  var line = Line()
  var changing = Changing()
  let context: StepContext
  var request: BuiltRequest?
  var handle: (any SentTransfer)?
  /// The settings and the progress of retries, polls and pages; nil for a step that sends a single request.
  var repeating: Repeating?
  /// The timer for the end of the step's current pause or time limit; nil if there is none.
  var timer: (any Cancellable)?
  /// The finished exchanges of the step, without the current request.
  var exchanges = SentExchanges()
  /// Whether any request of the step, except the last one, may have changed something on the server. The result of the last request shows
  /// whether the last request may have changed something, too.
  var mayHaveLeft = false
  /// Whether the step has already sent a request.
  var hasSent = false
  var hasEnded = false
  /// The reason why the step is paused, such as a probe of its host; nil if the step is not paused. A step that is in a transfer, or waits
  /// for a transfer slot, is not paused.
  var held: HeldStep?
  /// The reason why the step is being cancelled; nil if the step is not being cancelled.
  var haltReason: StopReason?

  /// Whether the step's stream or messages ended early because the run was stopped.
  var isCutShort: Bool { incoming.items?.isStopped ?? false }

  /// The index of the loop's item; nil without a loop.
  var iterationIndex: Int? { item.loop == nil ? nil : item.iteration }

  init(index: Int, context: StepContext, loop: ActiveLoop? = nil, iteration: Int = 0, label: String? = nil) {
    self.index = index
    self.context = context
    item = Item(iteration: iteration, loop: loop, label: label)
  }
}

extension ActiveStep {
  /// The loop item for which the step runs, if the step has a loop.
  struct Item {
    /// The index of the item in the loop; 0 without a loop.
    let iteration: Int
    /// The loop to which the item belongs; nil without a loop.
    let loop: ActiveLoop?
    /// The name of the item in reports; nil without a loop.
    let label: String?
  }

  /// The URL of the step's request, and the origin to which the request is sent.
  struct Target {
    /// The URL of the step's request, which is evaluated when the step begins.
    var url = StepURL(text: "", isSecret: false)
    /// The number that identifies the URL's origin (scheme, host and port).
    var origin = 0
  }

  /// The times of the step: when it was ready and started, its time limits, and the clock by which they are measured.
  struct Times {
    /// The time when an item of a loop was ready to begin.
    var readyAt: Duration = .zero
    /// The time that the step waited before its request for the first transfer slot, for example because of its `delay`.
    var delay: Duration = .zero
    /// The time when the step's first transfer began; nil if the step has sent no request.
    var startedAt: Duration?
    /// The clock by which the step's time limits are measured.
    var clock = StepClock()
    /// The time of the last progress event.
    var progressAt: Duration = .zero
    /// The time limit of a listening step.
    var listenLimit = Duration.zero
  }

  /// Data about a step whose host or network may be unavailable: its trial request to the host, and its wait for the network.
  struct Host {
    /// If this step tests whether its host is up again, the number of the request for this test; otherwise nil.
    var trial: Int?
    /// The reason why the step's host can't be reached. Nil until a probe finds that the host is down. After that, the step's current
    /// request is cancelled, unless the request already has a connection.
    var spared: Diagnosis?
    /// Decides whether the step waits for this machine's network after a failed transfer, and remembers whether the step has already
    /// waited.
    var patience = ConnectivityPatience()
    /// Whether the current request is sent again after the step has waited for a network connection. The wait counts towards the step's
    /// deadline.
    var isSentAgainForConnectivity = false
  }

  /// The state of the step's access tokens: whether they were fetched, and whether the current request was sent again with a new token.
  struct Tokens {
    /// Whether the tokens of the step were already fetched. If true, the step sends its request with these tokens, even if they expire
    /// soon.
    var areFetched = false
    /// Whether the current request was already sent a second time with a new token, after the server had refused the first token.
    var hasReplayed = false
  }

  /// The source that the step is reading: a stream, WebSocket messages, or a response that is being checked.
  struct Incoming {
    /// The reader of the response's stream; nil if the response is not a stream.
    var stream: StreamReader?
    /// The messages of the step's WebSocket connection; nil without such a connection.
    var talk: Talk?
    /// The items that the step receives one by one; nil if its response is read as a whole.
    var items: (any ItemReading)? { if let stream { stream } else { talk } }
    /// The response that is being checked on another thread; nil if no response is being checked.
    var judging: Judging?
  }

  /// The state of the step in the queue for transfer slots: whether it waits for a slot, and the slot that it holds.
  struct Line {
    /// Whether the step is waiting for a transfer slot.
    var isWaiting = false
    /// The transfer slot of the current transfer.
    var slot: HeldSlot?
  }

  /// The parts of the request that change from one request of the step to the next.
  struct Changing {
    /// The page that is being requested; nil for the first page.
    var page: PageInTurn?
    /// The recorded random numbers of the request; nil if the request does not call `now()`, or if the step never repeats its request. A
    /// request that calls `now()` is built again for each attempt. Due to the recording, each attempt uses the same random numbers, for
    /// example the same idempotency key.
    var tape: RandomTape?
  }
}

/// The request for a further page of a pagination, after the first page.
struct PageInTurn: Sendable {
  let url: String
  let changes: PageChanges?
}

/// A response that is being checked on another thread.
struct Judging {
  let response: TransferResponse
  /// The computation in which the response is checked. If the computation is ended, for example by its time limit, the check ends too.
  let computation: Computation
}

/// A transfer slot that a transfer holds.
struct HeldSlot {
  /// The number of the origin to which the transfer slot belongs.
  let origin: Int
  /// The number that the origin of this slot has in the outermost run. Nil unless a calling run has lent the slot to a step of a called
  /// document.
  var callersOrigin: Int?

  init(origin: Int) { self.origin = origin }
}
