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
  var handle: TransferHandle?
  /// The run of the document that it calls.
  var called: Run?
  /// Retries, polls and pages; nil for a step that sends one request.
  var repeating: Repeating?
  /// The page that is asked for, if it is not the first.
  var page: PageInTurn?
  /// The random numbers of a request that is made anew for each attempt, because it calls `now()`.
  var tape: RandomTape?
  /// Which trial of a host that was down it is, if it was let through to see whether that is back.
  var trial: Int?
  /// What it waits for when it is not a transfer.
  var timer: ScheduledAction?
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

/// An evaluated URL.
struct StepURL: Sendable {
  var text: String
  var isSecret: Bool
  /// The form that leads there, filled in.
  var form: FormSubmission?
}

extension StepURL {
  /// Where a request goes: its own URL, or that of the form that it sends.
  init(of request: RequestTemplate, in context: any EvaluationContext) throws(EvaluationError) {
    if let submit = request.submit {
      let form = try FormSubmission(of: submit, in: context)
      self.init(text: form.url, isSecret: form.isURLSecret, form: form)
    } else {
      let (text, isSecret) = try request.evaluateURL(in: context)
      self.init(text: text, isSecret: isSecret)
      // A password is a secret whether or not anybody said so, unless the document itself tells it to everyone.
      if Self.hasUser(text), request.url.constant == nil || request.baseURL?.constant == nil {
        Self.registerPassword(of: text, context.services.secrets)
      }
    }
  }

  /// Whether there may be a user in a URL.
  private static func hasUser(_ url: String) -> Bool {
    var url = url
    return url.withUTF8 { bytes in
      for byte in bytes where byte == UInt8(ascii: "@") { return true }
      return false
    }
  }

  private static func registerPassword(of url: String, _ secrets: any SecretRegistry) {
    guard let user = try? URLReference(url).userInfo, let colon = user.firstIndex(of: ":") else { return }
    let password = String(user[colon...].dropFirst())
    secrets.register(secret: password)
    secrets.register(secret: String(decoding: PercentEncoding.decode(password), as: UTF8.self))
  }
}
