import GarlandTransfer
import GarlandPlanner
import GarlandResults
import GarlandWorkflow

extension KindDrivers {
  static var reach: any KindDriver { ReachDriver() }
}

/// Carries out `reach:` steps, which wait until a host is reachable.
private struct ReachDriver: KindDriver {
  func prepare(_ step: ActiveStep, _ planned: PlannedStep, in run: isolated Run) throws(EvaluationError) {
    try run.evaluateTarget(of: step, planned)
    if !run.waitsForDelay(step) { run.goOn(step) }
  }

  func goOn(_ step: ActiveStep, _ planned: PlannedStep, in run: isolated Run) {
    guard case .reach(let template, let request) = planned.step.action else { return }
    run.reach(step, template, request, planned)
  }
}

extension Run {
  /// Probes a step's target until the target is reachable or the time limit is exceeded. During this time, the step holds no transfer slot.
  fileprivate func reach(_ step: ActiveStep, _ template: ReachTemplate, _ request: RequestTemplate, _ planned: PlannedStep) {
    if step.item.loop == nil { post(.waits(step: step.index)) }
    let target: ProbeTarget
    let limit: Duration
    let settings: TransferSettings
    do throws(RequestRefusal) {
      (settings, limit) = try inTime(planned) { () throws(RequestRefusal) in
        let built = try builder.build(planned, request, url: step.target.url, jars: stores.jars, caches: nil, in: step.context)
        return (built.transfer.settings, try Self.limit(of: template, request, planned, in: step.context))
      }
      do throws(ProbeTargetError) {
        target = try ProbeTarget(step.target.url.text)
      } catch {
        var failure = CheckFailure(.value, subject: "reach", message: "is neither a URL nor HOST:PORT", at: planned.place)
        failure.actual = step.target.url.text
        failure.help = error.detail
        throw .request(failure)
      }
    } catch {
      end(step, ending(for: error, of: planned))
      return
    }
    let startedAt = now
    step.times.startedAt = startedAt
    step.item.loop?.startedAt = step.item.loop?.startedAt ?? startedAt
    if detail.contains(.lifecycle) { tellStart(of: step, at: startedAt) }
    var probe = transport.hostProbe()
    probe.settings = settings
    let transport = transport
    step.held = .working(
      Task.detached(executorPreference: transport.waitExecutor) { [probe] in
        let report = await probe.wait(for: target, atMost: limit, clock: transport.clock) { report in
          transport.perform { self.assumeIsolated { $0.goesOnReaching(step, report, until: startedAt + limit) } }
        }
        transport.perform { self.assumeIsolated { $0.reached(step, report, within: limit) } }
      })
  }

  private static func limit(
    of template: ReachTemplate, _ request: RequestTemplate, _ planned: PlannedStep, in context: StepContext
  ) throws(RequestRefusal) -> Duration {
    do throws(EvaluationError) {
      let deadline = try request.transport.deadline?.resolve(in: context)
      let within = try template.within?.resolve(in: context)
      // The `deadline` of the defaults limits requests, and does not replace `within`.
      let isOwn = request.transport.deadline.map { planned.step.range.offsets.contains($0.range.offsets.lowerBound) } ?? false
      return min(within ?? (isOwn ? deadline : nil) ?? ReachTemplate.defaultLimit, (isOwn ? deadline : nil) ?? .seconds(Int64.max / 2))
    } catch {
      throw .value(error)
    }
  }

  private func goesOnReaching(_ step: ActiveStep, _ report: ProbeReport, until end: Duration) {
    guard !step.hasEnded, detail.contains(.lifecycle) else { return }
    tell(.stepWaits(identities[step.index], iteration: step.iterationIndex, reason: "for \(report.target): \(report.summary)", until: end))
  }

  private func reached(_ step: ActiveStep, _ report: ProbeReport, within limit: Duration) {
    guard !step.hasEnded else { return }
    step.held = nil
    var ending: StepEnding
    if report.isReachable {
      ending = StepEnding(.passed)
      ending.checkCount = 1
    } else {
      let reason = "\(report.target) could not be reached within \(limit.inWords): \(report.summary)"
      ending = StepEnding(.unreachable, reason: reason)
      ending.failures = [CheckFailure(.transport, subject: "reach", message: reason, at: plan.steps[step.index].place)]
    }
    ending.leavesNothing = true
    end(step, ending)
  }
}
