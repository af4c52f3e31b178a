import GarlandResults

/// The part of a load test that this machine runs.
package struct PlannedLoad: Sendable {
  package let settings: LoadSettings
  package let expectations: [LoadExpectation]
  /// The position of this machine among the machines that share the load, and the number of these machines.
  package let part: (number: Int, count: Int)
  /// The number of threads that carry out the repetitions.
  package let threads: Int

  /// Creates the part of a load test from its properties.
  package init(settings: LoadSettings, expectations: [LoadExpectation], part: (number: Int, count: Int), threads: Int) {
    self.settings = settings
    self.expectations = expectations
    self.part = part
    self.threads = threads
  }
}
