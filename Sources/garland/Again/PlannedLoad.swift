import GarlandResults

/// The part of a load test that this machine runs.
struct PlannedLoad {
  let settings: LoadSettings
  let expectations: [LoadExpectation]
  /// The number of this machine, and the number of all machines that share the load.
  let part: (number: Int, count: Int)
}
