import GarlandTransfer
import GarlandResults
import GarlandWorkflow

extension RunConfiguration {
  /// Settings for the order and the concurrency of steps, and the limits at which a run ends early.
  package struct Pace: Sendable {
    /// The maximum number of concurrent transfers. Default: 16.
    package var concurrency = 16
    /// The maximum number of concurrent transfers to the same origin. Default: 6.
    package var perOrigin = 6
    /// Whether steps run one after another. Their order is that of the documents, as far as dependencies allow. Default: false.
    package var isSerial = false
    /// The seed for a random order of the steps. A step still starts only after the steps that it depends on. Default: nil, which starts
    /// the step with the longest remaining path first.
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
    /// The part of ``deadline`` that earlier runs of the same command have used, as with `--repeat`. Default: 0.
    package var spentTime = Duration.zero
    /// The part of ``deadline`` that is left for this run; nil without a deadline.
    var timeLimit: Duration? { deadline.map { max(.zero, $0 - spentTime) } }
  }

  /// Settings for the contents of step results and reports.
  package struct Recording: Sendable {
    /// The maximum number of bytes of a body that a step's result contains. Default: 64 KiB.
    package var keptBodyBytes = 64 << 10
    /// The index of the step whose whole body is kept, because the output consists only of this body. Default: nil, which keeps no whole
    /// body.
    package var wholeBodyOf: Int?
    /// The options of this run's command line that a rerun of the failed steps also needs. Reports contain these options. Default: none.
    package var rerunOptions: [String] = []
    /// The shard that the run executes, for reports; nil for a run of the whole plan.
    package var shard: RunShard?
  }

  /// Settings for reusing values: the values from an earlier run, and whether this run keeps values for a later one.
  package struct Reuse: Sendable {
    /// The values from an earlier run, by ``PlannedStep/address``. Default: none.
    ///
    /// A step that only reads data or fetches credentials uses these values instead of sending a request. The values are used only if all
    /// steps on which the step depends use values from the earlier run, too.
    package var kept: [String: KeptStep] = [:]
    /// Whether the run's report contains the values that another run can use (``Run/Report/kept``). Default: false.
    package var keepsResults = false
  }

  /// The identifiers of a run, and its number in a series of runs of the same plan.
  package struct Series: Sendable {
    /// The value of `run.id`. Default: random.
    package private(set) var id: RunID
    /// The number of this run in its series of runs of the same plan. The value of `run.iteration` is this number. Default: 1. The later
    /// runs of a series may execute only a part of the plan.
    package private(set) var iteration = 1
    /// The id of the trace. All runs of a series of repetitions have the same trace.
    var traceID: String { id.first }

    init(runID: String) { id = RunID(runID) }

    /// Returns the identifiers of another run in the same series: the run with the number `iteration`.
    func again(_ iteration: Int) -> Series {
      var series = self
      series.id = id.again(iteration)
      series.iteration = iteration
      return series
    }
  }

  /// Settings for sending requests: the engine, and the treatment of unreachable hosts.
  package struct Sending: Sendable {
    /// The engine that sends requests. If nil, the run creates an engine with at most `perOrigin` connections to an origin, and releases
    /// the engine when the run ends.
    package var engine: Engine?
    /// The transport that sends requests instead of ``engine``; nil if ``engine`` sends them. It is set for inner runs, such as runs of
    /// called documents, and for tests without a network.
    var transport: (any Transport)?
    /// Whether a host is probed after a failed transfer. While the host does not respond, no requests of steps are sent to it. Default:
    /// true.
    var diagnosesHosts = true
    /// The URL at which the run stops following redirects. A step passes as soon as it is redirected to this URL. Only a run that logs in
    /// on a provider's pages sets this URL; otherwise it is nil.
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
