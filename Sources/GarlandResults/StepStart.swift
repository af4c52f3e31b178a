/// The data of the event `stepStarted`, which reports that the first transfer of a step, or of one of its iterations, begins.
public struct StepStart: Sendable, Hashable {
  /// The time when the transfer begins, counted from the start of the run.
  public var time: Duration
  /// The displayed name of a loop's iteration; nil without a loop.
  public var iteration: String?
  /// The index of the loop's item, counted from 0; nil without a loop. Several items may have the same displayed name.
  public var iterationIndex: Int?
  /// The number of items of the loop; nil without a loop.
  public var itemCount: Int?
  /// The method and URL with the values that are sent; nil for a step that sends no request itself.
  public var target: (method: String, url: String)? {
    get { url.map { (method, $0) } }
    set { (method, url) = (newValue?.method ?? "", newValue?.url) }
  }
  private var method = ""
  private var url: String?

  /// Creates the data of the event `stepStarted`.
  ///
  /// - Parameters:
  ///   - time: the time when the first transfer of the step or iteration begins, counted from the run's start.
  ///   - iteration: the displayed name of a loop's iteration.
  ///   - iterationIndex: the index of the loop's item, counted from 0.
  ///   - itemCount: the number of items of the loop.
  public init(at time: Duration, iteration: String? = nil, iterationIndex: Int? = nil, itemCount: Int? = nil) {
    self.time = time
    self.iteration = iteration
    self.iterationIndex = iterationIndex
    self.itemCount = itemCount
  }
}
