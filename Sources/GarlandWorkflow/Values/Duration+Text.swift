extension Duration {
  /// Reads a duration in Garland's form, such as `250ms`, `1.5s`, `5m`, `1h` or `1d`. Returns nil for any other text, including a number
  /// without a unit.
  public init?(workflowText text: String) {
    guard let (amount, unit) = Quantity.split(text) else { return nil }
    let nanosecondsPerUnit: Int
    switch unit {
    case "us": nanosecondsPerUnit = 1000
    case "ms": nanosecondsPerUnit = 1_000_000
    case "s": nanosecondsPerUnit = 1_000_000_000
    case "m": nanosecondsPerUnit = 60_000_000_000
    case "h": nanosecondsPerUnit = 3_600_000_000_000
    case "d": nanosecondsPerUnit = 86_400_000_000_000
    default: return nil
    }
    guard let nanoseconds = Quantity.scale(amount, by: nanosecondsPerUnit) else { return nil }
    self = .nanoseconds(nanoseconds)
  }
}
