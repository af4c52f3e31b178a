/// The beginning of a step's first transfer, or of that of one iteration.
public struct StepStart: Sendable, Hashable {
  /// The time of the beginning, since the run's start.
  public var time: Duration
  /// The name of the iteration of a loop, as it is shown; nil without a loop.
  public var iteration: String?
  /// Which item of a loop, counted from 0; nil without a loop. Several may be shown alike.
  public var iterationIndex: Int?
  /// How many items the loop has; nil without a loop.
  public var itemCount: Int?
  /// Method and URL with the sent values; nil for a step that sends no request itself.
  public var target: (method: String, url: String)? {
    get { url.map { (method, $0) } }
    set { (method, url) = (newValue?.method ?? "", newValue?.url) }
  }
  private var method = ""
  private var url: String?

  /// - Parameters:
  ///   - time: when, since the run's start.
  ///   - iteration: which iteration of a loop.
  ///   - iterationIndex: which item that is, counted from 0.
  ///   - itemCount: how many items the loop has.
  public init(at time: Duration, iteration: String? = nil, iterationIndex: Int? = nil, itemCount: Int? = nil) {
    self.time = time
    self.iteration = iteration
    self.iterationIndex = iterationIndex
    self.itemCount = itemCount
  }
}
