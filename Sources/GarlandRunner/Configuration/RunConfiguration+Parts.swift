import GarlandTransfer
import GarlandPlanner
import GarlandResults

extension RunConfiguration {
  /// Settings for the order and the concurrency of steps, and the limits at which a run ends early.
  package struct Pace: Sendable {
    /// The maximum number of concurrent transfers. Default: 16.
    package var concurrency = 16
    /// The maximum number of concurrent transfers to the same origin. Default: 6.
    package var perOrigin = 6
    /// Whether steps run one after another. Their order is that of the documents, as far as dependencies allow. Default: false.
    package var isSerial = false
    /// The seed of a random order in which steps start, within their dependencies. Default: nil, which starts the step with the longest
    /// remaining path first.
    package var shuffleSeed: UInt64?
    /// The duration of each step in an earlier run, in plan order. The scheduler uses the durations to find the longest path. Default: nil,
    /// which means that all steps take equally long.
    package var expectedDurations: [Double]?
    /// The limit in bytes for the total size of bodies and values that the run keeps for later steps. Above this limit, steps that use such
    /// values start before all other steps, so that the memory is released. The limit is ignored with ``isSerial`` or ``shuffleSeed``.
    /// Default: 16 MiB.
    package var heldBytes = 16 << 20
    /// The number of failures after which no further step starts: 1 for `--fail-fast`. Default: nil, which means no limit.
    package var maxFailures: Int?
    /// The time limit of the whole run. Default: nil, which means no limit.
    package var deadline: Duration?
  }

  /// Settings for the contents of step results and reports.
  package struct Recording: Sendable {
    /// The maximum number of bytes of a body that a step's result contains. Default: 64 KiB.
    package var keptBodyBytes = 64 << 10
    /// The index of the step whose whole body is kept, because the output consists only of this body. Default: nil, which keeps no whole
    /// body.
    package var wholeBodyOf: Int?
    /// The options of the command line that a rerun of the failed steps also needs, for reports. Default: no options.
    package var rerunOptions: [String] = []
    /// The shard that the run executes, for reports; nil for a run of the whole plan.
    package var shard: RunShard?
  }

  /// Settings for reusing values: the values from an earlier run, and whether this run keeps values for a later one.
  package struct Reuse: Sendable {
    /// The values from an earlier run, by ``PlannedStep/address``. Default: none.
    ///
    /// A step that only reads data or fetches credentials uses these values instead of sending a request, if all steps on which it depends
    /// use values from the earlier run, too.
    package var kept: [String: KeptStep] = [:]
    /// Whether the run collects values for another run in ``Run/Report/kept``. Default: false.
    package var keepsResults = false
  }

  /// The position of a run in a series of runs of the same plan.
  package struct Series: Sendable {
    /// The value of `run.id`, an identifier of the run. Default: random.
    package var runID: String
    /// The value of `run.iteration`: the number of this run in the series. A later run may execute only a part of the plan. Default: 1.
    package private(set) var iteration = 1
    /// The `run.id` of the first run in the series; nil if this is the first run.
    private var firstRunID: String?
    /// The id of the trace, which all runs of a series share.
    var traceID: String { firstRunID ?? runID }

    init(runID: String) { self.runID = runID }

    /// Returns the position of the run with the number `iteration` in the same series.
    func again(_ iteration: Int) -> Series {
      var series = self
      series.firstRunID = traceID
      series.runID = "\(traceID)-\(iteration)"
      series.iteration = iteration
      return series
    }
  }

  /// Settings for sending requests: the engine, and the treatment of unreachable hosts.
  package struct Sending: Sendable {
    /// The engine that sends requests. If nil, the run creates an engine with at most `perOrigin` connections to an origin, and releases
    /// the engine when the run ends.
    package var engine: Engine?
    /// The transport that sends requests instead of ``engine``. Inner runs, such as runs of called documents, and tests without a network
    /// use it.
    var transport: (any Transport)?
    /// Whether a host is probed after a failed transfer. While the host does not respond, steps that use it are not sent. Default: true.
    var diagnosesHosts = true
    /// A URL at which redirects end: a step that is redirected to this URL does not follow the redirect, and passes. Only runs that log in
    /// on a provider's pages set it.
    var redirectBoundary: String?
  }

  /// The sources of the time, of random numbers and of test data for expressions.
  package struct ValueSources: Sendable {
    /// Returns the current time in seconds since 1970, UTC.
    package var now: @Sendable () -> Double
    /// Returns a random number for `random()` and `uuid()`.
    package var random: @Sendable () -> UInt64
    /// The seed of generated test data such as `fake_name()`. Default: 0.
    package var seed: UInt64 = 0
  }
}
