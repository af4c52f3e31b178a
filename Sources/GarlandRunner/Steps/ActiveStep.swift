import GarlandJSON
import GarlandTransfer
import GarlandResults
import GarlandWorkflow

/// A step, or one item of its loop, that is in progress.
///
/// `@unchecked Sendable`: only the methods of the run, which is an actor, read and write its properties. Closures that the engine calls
/// pass the reference from one of these methods to the next, and access it only within `assumeIsolated`.
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
  /// Whether a request that the step sent before its last request may have changed something on the server. For the last request, this is
  /// determined from its result.
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
    /// The name of the item in reports.
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
    /// The time for which the step has waited before it requested its first transfer slot, for example for its `delay`.
    var delay: Duration = .zero
    /// The time when the first transfer began; nil if the step has sent no request.
    var startedAt: Duration?
    /// The clock by which the step's time limits are measured.
    var clock = StepClock()
    /// The time of the last progress event.
    var progressAt: Duration = .zero
    /// The time limit of a listening step.
    var listenLimit = Duration.zero
  }

  /// The facts about a step whose host or network may be unavailable, such as its trial request and its waiting for the network.
  struct Host {
    /// The number of the trial request with which this step tests whether its host is up again; nil if it sends no trial request.
    var trial: Int?
    /// The reason why the step's host can't be reached, if the step's request is cancelled because a probe has found that the host is down;
    /// otherwise nil.
    var spared: Diagnosis?
    /// Decides whether the step waits for this machine's network after a failure, and remembers whether it has already waited.
    var patience = ConnectivityPatience()
    /// Whether the step has waited for the network and sends its request again. The time of waiting counts towards the step's deadline.
    var isSentAgainForConnectivity = false
  }

  /// Whether the step's access tokens were fetched, and whether its current request was sent again with a new token.
  struct Tokens {
    /// Whether the step's tokens were fetched. In this case they are not fetched again before the step sends, even if they expire soon.
    var areFetched = false
    /// Whether the current request has already been sent again with another token.
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
    /// The response that is being checked on another thread.
    var judging: Judging?
  }

  /// Whether the step waits for a transfer slot, and the transfer slot that it holds.
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
    /// The recording of random numbers for a request that calls `now()` and is therefore built again for each attempt. With it, each
    /// attempt uses the same random numbers.
    var tape: RandomTape?
  }
}

/// The request for a page after the first.
struct PageInTurn: Sendable {
  let url: String
  let changes: PageChanges?
}

/// A response that is being checked on another thread.
struct Judging {
  let response: TransferResponse
  /// The computation in which the response is checked. The end of this computation also ends the check.
  let computation: Computation
}

/// A transfer slot that a transfer holds.
struct HeldSlot {
  /// The number of the origin to which the transfer slot belongs.
  let origin: Int
  /// The number that the outermost run uses for the origin of a slot that it has granted to a step of a called document; nil for any other
  /// slot.
  var callersOrigin: Int?

  init(origin: Int) { self.origin = origin }
}
