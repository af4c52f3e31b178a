import GarlandJSON
import GarlandTransfer
import GarlandResults
import GarlandWorkflow

/// A step, or one item of its loop, that has begun and not ended.
///
/// `@unchecked Sendable`: everything in it is read and written only by the methods of the run, an
/// actor. Closures that the engine calls carry the reference from one of these methods to the next,
/// and access it only within `assumeIsolated`.
final class ActiveStep: @unchecked Sendable {
  let index: Int
  /// The place in the loop; 0 without one.
  let iteration: Int
  /// The loop it is an item of.
  let loop: ActiveLoop?
  /// The item as reports show it.
  let label: String?
  let context: StepContext
  /// The URL of its request, evaluated when it began.
  var url = StepURL(text: "", isSecret: false)
  /// The number of the URL's origin.
  var origin = 0
  var request: BuiltRequest?
  var handle: (any SentTransfer)?
  /// Retries, polls and pages; nil for a step that sends one request.
  var repeating: Repeating?
  /// The page that is asked for, if it is not the first.
  var page: PageInTurn?
  /// The random numbers of a request that is made anew for each attempt, because it calls `now()`.
  var tape: RandomTape?
  /// The number of its trial, if it tries a host that was down.
  var trial: Int?
  /// The timer that it waits for, if it is not waiting for a transfer.
  var timer: (any Cancellable)?
  /// How long it listens.
  var listenLimit = Duration.zero
  /// The exchanges before the current request.
  var exchanges = SentExchanges()
  /// The time when it was ready to begin, if it is an item of a loop.
  var readyAt: Duration = .zero
  /// The time that the step has waited by itself before it asked for its first slot.
  var delay: Duration = .zero
  /// The time of the first transfer.
  var startedAt: Duration?
  /// The time that its limits are measured in.
  var clock = StepClock()
  /// The time of the last progress event.
  var progressAt: Duration = .zero
  /// Whether an earlier request may have changed the server, whatever the result of the last one.
  var mayHaveLeft = false
  /// Reads the stream of its response.
  var stream: StreamReader?
  /// The response that is being judged on another thread.
  var judging: Judging?
  /// Whether anything was handed to the network.
  var hasSent = false
  /// Whether it is in line for a slot.
  var isInLine = false
  /// The slot of the current transfer.
  var slot: HeldSlot?
  var hasEnded = false
  /// Why nothing goes on, though it has begun.
  var held: HeldStep?
  /// Whether it waits for this machine's network, and has reported that.
  var patience = ConnectivityPatience()
  /// Whether it has waited for the network, which takes a part of its deadline.
  var isSentAgainForConnectivity = false
  /// The diagnosis of its host, for which it is being cancelled.
  var spared: Diagnosis?
  /// Whether its tokens were fetched although they were not fresh for long.
  var hasFetchedTokens = false
  /// Whether the request that is under way was sent once more with another token.
  var hasReplayed = false
  /// Why it is being cancelled.
  var haltReason: StopReason?

  /// The index of its item; nil without a loop.
  var iterationIndex: Int? { loop == nil ? nil : iteration }

  init(index: Int, context: StepContext, loop: ActiveLoop? = nil, iteration: Int = 0, label: String? = nil) {
    self.index = index
    self.context = context
    self.loop = loop
    self.iteration = iteration
    self.label = label
  }
}

/// A page after the first, as it is asked for.
struct PageInTurn: Sendable {
  let url: String
  let changes: PageChanges?
}

/// A response that another thread judges.
struct Judging {
  let response: TransferResponse
  /// The computation whose end ends it.
  let computation: Computation
}

/// The slot that a transfer holds.
struct HeldSlot {
  /// The number of its origin.
  let origin: Int
  /// The number of its origin in the outermost run, if that gave a slot.
  var callersOrigin: Int?

  init(origin: Int) { self.origin = origin }
}
