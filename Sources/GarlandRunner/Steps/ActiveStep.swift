import GarlandJSON
import GarlandTransfer
import GarlandResults
import GarlandWorkflow

/// A step, or one item of its loop, that has begun and not ended.
///
/// `@unchecked Sendable`: everything in it is read and written only by the methods of the run, an actor. Closures that the engine calls carry the
/// reference from one of these methods to the next, and look into it only within `assumeIsolated`.
final class ActiveStep: @unchecked Sendable {
  let index: Int
  /// The place in the loop; 0 without one.
  let iteration: Int
  /// The loop it is an item of.
  let loop: ActiveLoop?
  /// The item as reports show it.
  let label: String?
  let context: StepContext
  /// Where its request goes, evaluated when it began.
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
  /// Which trial of a host that was down it is, if it was let through to see whether that is back.
  var trial: Int?
  /// What it waits for when it is not a transfer.
  var timer: (any Cancellable)?
  /// How long it listens.
  var listenLimit = Duration.zero
  /// What was sent before the request that is under way.
  var exchanges = SentExchanges()
  /// When it got ready to begin, if it is an item of a loop.
  var readyAt: Duration = .zero
  /// When the first transfer began.
  var startedAt: Duration?
  /// The time that its limits are measured in.
  var clock = StepClock()
  /// When the last progress was told.
  var progressAt: Duration = .zero
  /// Whether the server may hold something because of an earlier request of it, whatever comes of the last one.
  var mayHaveLeft = false
  /// What was received and is being judged elsewhere.
  var judging: Judging?
  /// Whether anything was handed to the network.
  var hasSent = false
  /// Whether it is in line for a slot.
  var isInLine = false
  /// What the transfer that is under way holds.
  var slot: HeldSlot?
  var hasEnded = false
  /// Why nothing goes on, though it has begun.
  var held: HeldStep?
  /// Whether it waits for this machine's network, and has told so.
  var patience = ConnectivityPatience()
  /// Whether it has waited for that, so that a part of its deadline is gone.
  var isSentAgainForConnectivity = false
  /// What is known of its host by now, so that it is being cancelled.
  var spared: Diagnosis?
  /// Whether its tokens were fetched although they were not fresh for long.
  var hasFetchedTokens = false
  /// Whether the request that is under way was sent once more with another token.
  var hasReplayed = false
  /// Why it is being cancelled.
  var haltReason: StopReason?

  /// Which item of a loop it is; nil without a loop.
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
  /// What ends it.
  let computation: Computation
}

/// What a transfer holds while it is under way.
struct HeldSlot {
  /// The number of its origin.
  let origin: Int
  /// The number of its origin in the outermost run, if that gave a slot.
  var callersOrigin: Int?

  init(origin: Int) { self.origin = origin }
}
