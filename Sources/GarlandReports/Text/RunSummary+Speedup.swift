import GarlandResults

extension RunSummary {
  /// The time that the steps would take one after another, as a multiple of the duration of the run, such as `3.8`; nil if the difference
  /// is less than a tenth, which is not worth mentioning.
  var speedup: String? {
    let wall = Readable.microseconds(wallTime)
    let sum = Readable.microseconds(sumOfStepTimes)
    guard wall > 0, sum * 10 >= wall * 11 else { return nil }
    let tenths = sum * 10 / wall
    return tenths < 1_000 ? "\(tenths / 10).\(tenths % 10)" : Readable.count(tenths / 10)
  }
}
