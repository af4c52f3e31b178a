extension Duration {
  /// Reads text of the language's form, `250ms`, `10s`, `5m`, `1h` (and `1d`, `1.5s`); nil for any
  /// other text, a bare number too.
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
