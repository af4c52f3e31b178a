import GarlandPlanner

/// Lends transfer slots, and resources that documents declare, to the steps of called documents. Both belong to the outermost run; the runs
/// of called documents, at any depth, share them.
extension Run {
  // MARK: Slots

  /// Requests a transfer slot from the outermost run, for a step of a called document.
  ///
  /// - Parameters:
  ///   - url: the URL to which the step sends.
  ///   - call: the step of this run that calls the document.
  ///   - again: whether the step has sent a request before.
  ///   - granted: called when the step may send. If the URL needs a slot, the argument is the number of the slot's origin, which the called
  ///     run later passes to `returnSlot(_:)`; otherwise the argument is nil.
  func askForSlot(url: String, for call: ActiveStep, again: Bool, _ granted: @escaping @Sendable (Int?) -> Void) {
    if let caller {
      caller.run.assumeIsolated { $0.askForSlot(url: url, for: caller.step, again: again, granted) }
      return
    }
    guard let origin = origins.number(of: url) else {
      granted(nil)
      return
    }
    let ticket = calls.lending.add(for: call, granted)
    post(.transferWanted(step: call.index, iteration: ticket, origin: origin, again: again))
  }

  /// Passes a transfer slot to the called document that has requested it.
  func grantSlot(_ ticket: Int, _ origin: Int) {
    guard let granted = calls.lending.takeSlot(ticket) else {
      post(.transferEnded(origin: origin))
      return
    }
    granted(origin)
  }

  /// Releases a transfer slot after a transfer of a called document has ended.
  func returnSlot(_ origin: Int) {
    if let caller {
      caller.run.assumeIsolated { $0.returnSlot(origin) }
    } else {
      post(.transferEnded(origin: origin))
    }
  }

  // MARK: Resources

  /// Requests resources for a step of a called document, or for an item of the step's loop. The calling run provides the resources.
  func borrow(_ index: Int, _ iteration: Int?) {
    guard let caller else { return }
    caller.run.assumeIsolated { run in
      run.lend(plan.steps[index].borrowedResources(in: plan), to: caller.step) {
        self.assumeIsolated { $0.post(.borrowed(step: index, iteration: iteration)) }
      }
    }
  }

  /// Gives back to the calling run the resources that a step has borrowed from it.
  func handBack(_ index: Int) {
    guard let caller else { return }
    caller.run.assumeIsolated { $0.takeBack(plan.steps[index].borrowedResources(in: plan)) }
  }

  /// Requests resources for a document that a step of this run calls. `lent` is called when the resources are available.
  private func lend(_ names: Set<String>, to call: ActiveStep, _ lent: @escaping @Sendable () -> Void) {
    if let caller, !caller.hasResources {
      caller.run.assumeIsolated { $0.lend(names, to: caller.step, lent) }
      return
    }
    let loan = calls.lending.add(lent)
    post(.loanWanted(step: call.index, loan: loan, uses: resources.indexes(of: names)))
  }

  /// Notifies a called document that the resources that it has asked for are now available. `loan` identifies what it has asked for.
  func lend(_ loan: Int) { calls.lending.takeLoan(loan)?() }

  private func takeBack(_ names: Set<String>) {
    if let caller, !caller.hasResources {
      caller.run.assumeIsolated { $0.takeBack(names) }
    } else {
      post(.loanReturned(uses: resources.indexes(of: names)))
    }
  }
}
