/// The beginning of a step's first transfer, or of that of one iteration.
public struct StepStart: Sendable, Hashable {
  /// The time of the beginning, since the run's start.
  public var time: Duration
  /// The name of the iteration of a loop, as it is shown; nil without a loop.
  public var iteration: String?
  /// The number of the loop's items; nil without a loop.
  public var itemCount: Int?
  /// Method and URL with the sent values; nil for a step that sends no request itself.
  public var target: (method: String, url: String)? {
    get { url.map { (method, $0) } }
    set { (method, url) = (newValue?.method ?? "", newValue?.url) }
  }
  private var method = ""
  private var url: String?

  /// - Parameters:
  ///   - time: The time of the beginning, since the run's start.
  ///   - iteration: The name of the iteration of a loop.
  ///   - itemCount: The number of the loop's items.
  public init(at time: Duration, iteration: String? = nil, itemCount: Int? = nil) {
    self.time = time
    self.iteration = iteration
    self.itemCount = itemCount
  }
}
