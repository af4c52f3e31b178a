import ArgumentParser
import GarlandPlanner
import GarlandResults
import GarlandRunner

extension RunCommand {
  /// The settings of the whole load test, on all machines together; nil if the run is not a load test.
  var loadSettings: LoadSettings? { load.settings(repetitions: again.repetitions) }

  func validateLoad() throws {
    guard load.sendsLoad else { return }
    guard again.repetitions != nil || load.duration != nil else {
      throw ValidationError("A load needs an end: give --duration, such as 60s, or --repeat with the number of repetitions.")
    }
    let others: [(String, Bool)] = [
      ("--until-failure", again.untilFailure), ("--rerun-failed", again.reruns != nil), ("--print", !results.print.isEmpty),
      ("--update-snapshots", updateSnapshots), ("--show", results.show != nil), ("--watch", watch),
    ]
    if let other = others.first(where: \.1) { throw ValidationError("\(other.0) can't be combined with a load.") }
  }

  /// Returns a list whose only element is this machine's part of the load test. Returns an empty list if the run is not a load test, and
  /// nil if an expectation is invalid.
  ///
  /// - Parameters:
  ///   - plan: the plan that the load test runs again and again.
  ///   - shard: the shard that this machine runs.
  ///   - budget: the limit on the number of connections.
  ///   - workspace: receives the errors for invalid expectations.
  func load(of plan: Plan, _ shard: PlanShard?, _ budget: DescriptorBudget, _ workspace: inout Workspace) throws -> [PlannedLoad]? {
    guard var settings = loadSettings else { return [] }
    let (steps, files) = (plan.steps.map(\.step.id), plan.steps.map(\.workflow.file.name))
    var expectations: [LoadExpectation] = []
    for text in load.expectations {
      do throws(LoadExpectation.Mistake) {
        expectations.append(try LoadExpectation(text, steps: steps, files: files, hasRate: settings.rate != nil))
      } catch {
        workspace.report(error.diagnostic)
      }
    }
    guard expectations.count == load.expectations.count else { return nil }
    let part = (number: shard?.identity.number ?? 1, count: shard?.identity.count ?? 1)
    do throws(IndivisibleLoad) {
      settings = try settings.part(part.number, of: part.count)
    } catch {
      let limit = "\(error.number) \(error.noun)\(error.number == 1 ? "" : "s")"
      throw CommandFailure.commandLine(
        "a load of \(limit) can't be divided among \(part.count) shards: each shard needs at least one \(error.noun)")
    }
    settings.users = min(settings.users, budget.transfers)
    let threads = budget.isScarce ? 1 : min(loadThreads, settings.users)
    return [PlannedLoad(settings: settings, expectations: expectations, part: part, threads: threads)]
  }

  /// The number of threads among which the users of a load test are divided. It is 1 for a load test with a rate, and for a run that is not
  /// a load test.
  var loadThreads: Int {
    guard let settings = loadSettings, settings.rate == nil else { return 1 }
    return min(pace.engines ?? min(ProcessorCount.usable, PaceOptions.mostEngines), settings.users, settings.repetitions ?? .max)
  }
}
