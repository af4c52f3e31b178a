/// The beginning of a step's first transfer, or of that of one iteration.
public struct StepStart: Sendable, Hashable {
  /// When, since the run's start.
  public var time: Duration
  /// Which iteration of a loop, as it is shown; nil without a loop.
  public var iteration: String?
  /// How many items the loop has; nil without a loop.
  public var itemCount: Int?
  /// Method and URL with the values that are sent; nil for a step that sends no request itself.
  public var target: (method: String, url: String)? {
    get { url.map { (method, $0) } }
    set { (method, url) = (newValue?.method ?? "", newValue?.url) }
  }
  private var method = ""
  private var url: String?

  /// - Parameters:
  ///   - time: when, since the run's start.
  ///   - iteration: which iteration of a loop.
  ///   - itemCount: how many items the loop has.
  public init(at time: Duration, iteration: String? = nil, itemCount: Int? = nil) {
    self.time = time
    self.iteration = iteration
    self.itemCount = itemCount
  }
}
