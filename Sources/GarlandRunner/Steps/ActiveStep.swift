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
  /// The position in the loop; 0 without a loop.
  let iteration: Int
  /// The loop to which the item belongs; nil without a loop.
  let loop: ActiveLoop?
  /// The name of the item in reports.
  let label: String?
  let context: StepContext
  /// The URL of the step's request, which is evaluated when the step begins.
  var url = StepURL(text: "", isSecret: false)
  /// The number of the URL's origin.
  var origin = 0
  var request: BuiltRequest?
  var handle: (any SentTransfer)?
  /// The state of retries, polls and pages; nil for a step that sends a single request.
  var repeating: Repeating?
  /// The page that is being requested, if it is not the first.
  var page: PageInTurn?
  /// The recorded random numbers of a request that is rebuilt for each attempt, because it calls `now()`.
  var tape: RandomTape?
  /// The number of the step's trial request; nil if its host is not known to be down.
  var trial: Int?
  /// The timer for which the step waits, if it is not waiting for a transfer.
  var timer: (any Cancellable)?
  /// The time limit for listening.
  var listenLimit = Duration.zero
  /// The exchanges before the current request.
  var exchanges = SentExchanges()
  /// The time when an item of a loop was ready to begin.
  var readyAt: Duration = .zero
  /// The time for which the step itself has waited before it requested its first slot.
  var delay: Duration = .zero
  /// The time of the first transfer.
  var startedAt: Duration?
  /// The clock by which the step's time limits are measured.
  var clock = StepClock()
  /// The time of the last progress event.
  var progressAt: Duration = .zero
  /// Whether an earlier request may have changed something on the server, whatever the result of the last one.
  var mayHaveLeft = false
  /// The reader of the response's stream; nil if the response is not a stream.
  var stream: StreamReader?
  /// The messages of its WebSocket connection.
  var talk: Talk?
  /// The response that is being checked on another thread.
  var judging: Judging?
  /// Whether any request was passed to the network.
  var hasSent = false
  /// Whether the step is waiting for a slot.
  var isInLine = false
  /// The slot of the current transfer.
  var slot: HeldSlot?
  var hasEnded = false
  /// The reason why the step makes no progress although it has begun; nil if there is none.
  var held: HeldStep?
  /// Whether the step waits for this machine's network, and whether that has been reported.
  var patience = ConnectivityPatience()
  /// Whether the step has waited for the network. That time counts towards its deadline.
  var isSentAgainForConnectivity = false
  /// The diagnosis of the step's host because of which its request is being cancelled.
  var spared: Diagnosis?
  /// Whether the step's tokens were fetched, even if they expire soon. They are then not fetched again before it sends.
  var hasFetchedTokens = false
  /// Whether the current request has been sent again with another token.
  var hasReplayed = false
  /// The reason why the step is being cancelled.
  var haltReason: StopReason?

  /// The index of the loop's item; nil without a loop.
  var iterationIndex: Int? { loop == nil ? nil : iteration }

  init(index: Int, context: StepContext, loop: ActiveLoop? = nil, iteration: Int = 0, label: String? = nil) {
    self.index = index
    self.context = context
    self.loop = loop
    self.iteration = iteration
    self.label = label
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
  /// The computation of the check; ending it ends the check.
  let computation: Computation
}

/// A slot that a transfer holds.
struct HeldSlot {
  /// The number of the slot's origin.
  let origin: Int
  /// The number of the slot's origin in the outermost run, if that run granted the slot.
  var callersOrigin: Int?

  init(origin: Int) { self.origin = origin }
}
