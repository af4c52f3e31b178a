import GarlandDiagnostics
import GarlandPlanner
import GarlandResults
import GarlandWorkflow

/// Carries out steps that have a loop, once for each item.
extension Run {
  func beginLoop(_ index: Int, _ settings: Loop, _ planned: PlannedStep, _ context: StepContext) {
    let (items, limit): (LoopItems, Int?)
    do throws(RequestRefusal) {
      (items, limit) = try inTime(planned) { () throws(RequestRefusal) in
        let items = try LoopItems.evaluate(settings, directory: planned.workflow.directory, files: configuration.files, in: context)
        do throws(EvaluationError) {
          return (items, try settings.limit?.resolve(in: context))
        } catch {
          throw .value(error)
        }
      }
    } catch {
      end(ActiveStep(index: index, context: context), ending(for: error, of: planned))
      return
    }
    if let limit, limit < 1 {
      var failure = CheckFailure(.value, subject: "limit", message: "is \(limit), expected at least 1", at: settings.limit?.range)
      failure.actual = "\(limit)"
      end(ActiveStep(index: index, context: context), StepEnding(.failed, failures: [failure]))
      return
    }
    let share = configuration.items[planned.number]
    if let share, share.count != items.count {
      let message = "has \(items.count) items, but the shards were planned for \(share.count) items"
      let failure = CheckFailure(.value, subject: settings.key.value, message: message, at: settings.key.range)
      end(ActiveStep(index: index, context: context), StepEnding(.failed, failures: [failure]))
      return
    }
    let loop = ActiveLoop(
      index: index, items: items, places: share?.range ?? 0..<items.count, limit: limit, context: context, isNamed: ledger.isUsed(index))
    // If a called document contains an exclusive step, items of a loop of calls run one at a time.
    loop.isAlone = planned.step.call.flatMap { plan.plan(called: $0.workflow) }?.wantsToBeAlone ?? false
    work.loops[index] = loop
    post(.waits(step: index))
    beginItems(of: loop)
  }

  /// Begins as many items of a loop as may run at the same time, and a few additional items, which wait for a transfer slot.
  func beginItems(of loop: ActiveLoop) {
    guard !loop.isBeginning, work.loops[loop.index] === loop else { return }
    loop.isBeginning = true
    let most = mostAtWork(in: loop)
    let needsResources = !plan.steps[loop.index].step.flow.uses.isEmpty
    while loop.hasUnbegun, !loop.isStopped, loop.active.count + loop.asking.count < most,
      loop.inLine + loop.asking.count < (configuration.pace.isSerial ? 1 : configuration.pace.concurrency)
    {
      guard !work.isWaitingForObservers, observersAreReady else {
        if !work.heldBackLoops.contains(where: { $0 === loop }) { work.heldBackLoops.append(loop) }
        waitForObservers()
        break
      }
      let iteration = loop.next
      loop.next += 1
      if needsResources {
        loop.asking.insert(iteration)
        post(.iterationWanted(step: loop.index, iteration: iteration))
      } else {
        beginItem(iteration, of: loop)
      }
    }
    loop.isBeginning = false
    if loop.isDone { end(loop) }
  }

  /// Begins an item of a loop. The scheduler has already assigned the resources that the item requested.
  func beginIteration(_ index: Int, _ iteration: Int) {
    guard let loop = work.loops[index], loop.asking.remove(iteration) != nil else {
      post(.iterationEnded(step: index))
      return
    }
    beginItem(iteration, of: loop)
  }

  private func beginItem(_ iteration: Int, of loop: ActiveLoop) {
    let item = loop.items[iteration]
    item.forEachSecret { configuration.redactor.register($0) }
    let planned = plan.steps[loop.index]
    let context = loop.context.with(item: item, index: iteration)
    let label = Result { () throws(EvaluationError) in
      guard let template = planned.step.flow.loop?.label else { return LoopLabel.text(of: item, at: iteration) }
      return try inTime(planned) { () throws(EvaluationError) in try LoopLabel.text(of: template, in: context) }
    }
    let step = ActiveStep(
      index: loop.index, context: context, loop: loop, iteration: iteration,
      label: (try? label.get()) ?? LoopLabel.text(of: item, at: iteration))
    step.times.readyAt = now
    loop.active[iteration] = step
    if case .failure(let error) = label { return end(step, ending(for: error, of: planned)) }
    begin(step, planned)
  }

  /// Handles the end of a loop item: reports the item's result, and then begins the next items or ends the loop's step.
  func ended(_ step: ActiveStep, of loop: ActiveLoop, _ result: StepResult, _ kept: StoredStep?, leavesNothing: Bool) {
    var result = result
    loop.active[step.item.iteration] = nil
    loop.count(result.outcome)
    if !leavesNothing { loop.leavesNothing = false }
    if !loop.stored.isEmpty, result.outcome == .passed { loop.stored[step.item.iteration] = kept }
    if !plan.steps[loop.index].step.flow.uses.isEmpty { post(.iterationEnded(step: loop.index)) }
    result.endsStep = loop.isDone && !loop.hasUnbegun
    count(result)
    tell(.stepEnded(result))
    if result.outcome.isProblem, !result.isFailureAllowed { post(.problem(step: loop.index)) }
    if loop.isDone, !loop.isBeginning { end(loop) } else { beginItems(of: loop) }
  }

  /// Ends the step that has the loop. The caller must ensure that no item is running or will begin.
  private func end(_ loop: ActiveLoop) {
    let index = loop.index
    guard work.loops[index] === loop else { return }
    work.loops[index] = nil
    let flow = plan.steps[index].step.flow
    let outcome = loop.outcome
    let at = now
    if loop.places.isEmpty || loop.hasUnbegun {
      // An empty loop has no item whose end would end the step.
      let isEmpty = loop.places.isEmpty
      var result = StepResult(step: identities[index], outcome: isEmpty ? .skipped : .notRun, startedAt: at, endedAt: at)
      result.readyAt = ledger.readyAt(index)
      if isEmpty {
        result.reason = "there is nothing to do: `\(flow.loop?.key.value ?? "the loop")` has no items"
      } else {
        let left = loop.places.upperBound - loop.next
        result.itemCount = left
        result.iterationIndex = loop.next
        result.reason = "\(left) of \(loop.places.count) items: \(stopWords)"
      }
      count(result)
      tell(.stepEnded(result))
    }
    if ledger.isUsed(index) { ledger.keep(StoredStep(iterations: loop.stored), of: index) }
    let held = ledger.stored(index)?.weight ?? 0
    close(index, outcome)
    post(
      .ended(
        step: index,
        Scheduler.Ending(
          outcome, isFailureAllowed: flow.allowFailure, leavesNothing: loop.leavesNothing, isPartial: loop.isPartial, problems: 0,
          heldBytes: held)))
  }

  /// Stops a loop: no further items begin, and running items end. `leeway` determines how long a running item may continue.
  func halt(_ loop: ActiveLoop, _ leeway: Scheduler.Leeway) {
    loop.isStopped = true
    loop.asking = []
    loop.isBeginning = true
    for step in loop.active.values.sorted(by: { $0.item.iteration < $1.item.iteration }) { halt(step, leeway) }
    loop.isBeginning = false
    if loop.isDone { end(loop) }
  }
}

extension Int {
  func saturatingTimes(_ factor: Int) -> Int {
    let (product, overflows) = multipliedReportingOverflow(by: factor)
    return overflows ? .max : product
  }

  func saturatingPlus(_ more: Int) -> Int {
    let (sum, overflows) = addingReportingOverflow(more)
    return overflows ? .max : sum
  }
}
