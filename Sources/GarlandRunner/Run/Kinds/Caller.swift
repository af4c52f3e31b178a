/// Connects the run of a called document to the run that calls it. Both live on the thread of the
/// same engine.
struct Caller: Sendable {
  /// The run that calls.
  let run: Run
  /// The step of it, or item of its loop, that is the call.
  let step: ActiveStep
  /// The stored values of steps in the calling run, by the ordinals that the called document uses.
  let shared: [Int: StoredStep]
  /// Whether the call has taken one of each resource that the called document's steps use, so that
  /// these don't request any.
  let hasResources: Bool
}
