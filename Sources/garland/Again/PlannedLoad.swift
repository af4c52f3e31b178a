import GarlandResults

/// The load that this machine sends.
struct PlannedLoad {
  let settings: LoadSettings
  let expectations: [LoadExpectation]
  /// The number of this machine, and of all that share the load.
  let part: (number: Int, count: Int)
}
