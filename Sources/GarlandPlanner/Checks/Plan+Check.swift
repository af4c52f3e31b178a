public import GarlandDiagnostics
public import GarlandWorkflow

extension Plan {
  /// Checks the plan as a whole, and the plans of the documents that it calls.
  ///
  /// Returns an error:
  /// - if two steps download to the same file;
  /// - if a step writes a file that the run must not write;
  /// - if a step reads a file that does not exist, and no step downloads it;
  /// - if all steps that use the URL of a listening step wait until the listening step has ended.
  ///
  /// Returns a warning:
  /// - for a likely race of two steps;
  /// - for an unused extract;
  /// - if a step reads a file and another step downloads a file with the same relative path to another folder;
  /// - if no step uses the URL of a listening step.
  ///
  /// - Parameters:
  ///   - limit: the maximum number of diagnostics of each kind.
  ///   - files: the folders to which the run may write. If nil, the folders of written files are not checked, and symbolic links are not
  ///     resolved.
  ///   - workingDirectory: the absolute path of the folder that written files are relative to.
  public func check(limit: Int = 50, files: FileAccess? = nil, workingDirectory: String = "/") -> DiagnosticList {
    var oracle = OrderOracle(graph, order: order, levels: graph.levels(order: order), budget: 4_000_000)
    var list = DiagnosticList()
    let brought = Set(origin.links.map(\.use))
    var missing = workflows.flatMap(\.findings.missingFiles).filter { missing in missing.range.map { !brought.contains($0) } ?? true }
    OtherFileFinder(plan: self, files: files, workingDirectory: workingDirectory, limit: limit).report(to: &list, extending: &missing)
    for missing in missing { list.report(missing) }
    reportUnusedExtracts(to: &list)
    reportListeners(to: &list)
    RaceFinder(plan: self, limit: limit).report(to: &list, &oracle)
    DownloadConflictFinder(plan: self, limit: limit, files: files, workingDirectory: workingDirectory).report(to: &list, &oracle)
    LoopFileFinder(plan: self).report(to: &list)
    if let files { WrittenFileFinder(plan: self, files: files, workingDirectory: workingDirectory).report(to: &list) }
    for called in calledPlans { list.append(called.check(limit: limit, files: files, workingDirectory: workingDirectory)) }
    return list
  }

  /// Reports steps that listen for a request that no step can send.
  private func reportListeners(to list: inout DiagnosticList) {
    for (index, users) in listeners().sorted(by: { $0.key < $1.key }) {
      let step = steps[index].step
      if users.named.isEmpty, !outputNames(index) {
        list.report(
          Diagnostic(
            .unheardURL, severity: .warning,
            "no step uses the URL `${\(step.id).url}`, so no sender knows where the step `\(step.id)` listens",
            at: step.idRange
          )
          .help("pass the URL to the sender of the request: Garland chooses the port when the run begins"))
      } else if users.calling.isEmpty, !outputNames(index), let user = users.named.first {
        let caller = steps[user].step
        let reference = caller.references.first {
          $0.member == .address && self.step($0.target, of: steps[user].workflowIndex)?.index == index
        }
        list.report(
          Diagnostic(
            .listenDeadlock,
            "the step `\(caller.id)` uses the URL of the step `\(step.id)`, but waits until `\(step.id)` has ended, so `\(step.id)` would never receive a request",
            at: reference?.range ?? caller.idRange
          )
          .note("the step `\(step.id)` listens here", at: step.request?.method.range ?? step.idRange)
          .help("remove from `\(caller.id)` each `after: \(step.id)` and each value of the step `\(step.id)` other than its URL"))
      }
    }
  }

  /// Whether an output of the plan's first document uses the given step. For example, an output can use the URL of a listening step.
  private func outputNames(_ index: Int) -> Bool {
    workflows.first?.outputs.contains { $0.stepOrdinals.contains { step($0, of: 0)?.index == index } } ?? false
  }

  /// Reports extracts (named values that steps take from responses) that no document uses. The extracts of a document that another document
  /// lists under `use:` are skipped, since documents outside of this run may need these extracts.
  private func reportUnusedExtracts(to list: inout DiagnosticList) {
    struct Place: Hashable {
      let document: ObjectIdentifier
      let step: Int
      let extract: Int
    }
    var used: Set<Place> = []
    for workflow in workflows {
      for foreign in workflow.foreignSteps {
        let document = ObjectIdentifier(workflow.uses[foreign.document].workflow)
        for extract in foreign.extracts { used.insert(Place(document: document, step: foreign.step, extract: extract)) }
      }
    }
    // If a document is in the `use:` of another document, its unused extracts are not reported: documents outside of this run may need
    // them.
    let onlyUsed = Set(workflows.flatMap { $0.uses.map { ObjectIdentifier($0.workflow) } })
    for workflow in workflows where !onlyUsed.contains(ObjectIdentifier(workflow)) {
      for unused in workflow.findings.unusedExtracts {
        let place = Place(document: ObjectIdentifier(workflow), step: unused.step, extract: unused.extract)
        if !used.contains(place) { list.report(workflow.warning(of: unused)) }
      }
    }
  }

  /// Returns advice to run the step `target` after the step `source`. The advice includes a fix if the key `after:`, or a further entry of
  /// `after:`, can be inserted into the document automatically.
  func afterHelp(_ source: PlannedStep, in target: PlannedStep) -> (message: String, fix: Diagnostic.Fix?) {
    let id = source.step.id
    if !target.step.flow.after.isEmpty {
      return ("add `\(id)` to `after:` in `\(target.step.id)`", AfterInsertion.addition(id, to: target.step))
    }
    return (
      "write `after: \(id)` in `\(target.step.id)`, or `after: \(target.step.id)` in `\(id)`", AfterInsertion.fix(id, into: target.step)
    )
  }
}

extension DiagnosticCode {
  /// The code of the warning for two steps that may run at the same time, if one of them writes to a URL that the other step uses.
  static let likelyRace: DiagnosticCode = "likely-race"
  /// The code for a step that listens at a URL that no other step uses.
  static let unheardURL: DiagnosticCode = "unheard-url"
  /// The code for a listening step that can never receive its request: every step that uses its URL, and so could send the request, waits
  /// for the listening step to end.
  static let listenDeadlock: DiagnosticCode = "listen-deadlock"
  /// The code of the warning for a loop whose items all compare their responses with the same snapshot file.
  static let sharedSnapshot: DiagnosticCode = "shared-snapshot"
  /// The code of the warning for a step that seems to read the file that another step downloads, but would read a different file. Both
  /// steps state the same relative path. But the path of a file to read is relative to the document, and the path of a download is relative
  /// to the working directory.
  static let otherFile: DiagnosticCode = "other-file"
  /// The code for two steps that download to the same file, or for a loop whose items all download to the same file.
  static let downloadConflict: DiagnosticCode = "download-conflict"
}
