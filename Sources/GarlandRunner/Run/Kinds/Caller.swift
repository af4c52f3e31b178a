/// Connects the run of a called document to the calling run. Both use the thread of the same engine.
struct Caller: Sendable {
  /// The calling run.
  let run: Run
  /// The step of the calling run, or the item of its loop, that calls the document.
  let step: ActiveStep
  /// The stored values of steps in the calling run, by the ordinals that the called document uses.
  let shared: [Int: StoredStep]
  /// Whether the call has already acquired a unit of each resource that the called document's steps use, so that these steps
  /// request no resource.
  let hasResources: Bool
}
