/// What ties the run of a called document to the run that calls it. Both live on the thread of the same engine.
struct Caller: Sendable {
  /// The run that calls.
  let run: Run
  /// The step of it, or item of its loop, that is the call.
  let step: ActiveStep
  /// For ordinals of steps of other documents what they left in the run that calls.
  let shared: [Int: StoredStep]
  /// Whether the call has taken one of each resource that the called document's steps use, so that these need not ask.
  let hasResources: Bool
}
