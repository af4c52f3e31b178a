import GarlandResults

extension RunSummary {
  /// The speedup by running steps at the same time, such as `3.8`: the total time of the steps, divided by the duration of the run. Nil if
  /// it is less than 1.1, which is not worth mentioning.
  var speedup: String? {
    let wall = Readable.microseconds(wallTime)
    let sum = Readable.microseconds(sumOfStepTimes)
    guard wall > 0, sum * 10 >= wall * 11 else { return nil }
    let tenths = sum * 10 / wall
    return tenths < 1_000 ? "\(tenths / 10).\(tenths % 10)" : Readable.count(tenths / 10)
  }
}
