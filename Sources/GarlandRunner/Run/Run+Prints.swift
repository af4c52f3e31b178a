import GarlandAuth
import GarlandDiagnostics
import GarlandPlanner
import GarlandResults
import GarlandWorkflow

/// Evaluates the expressions of `--print`, such as `--print '${login.token}'`, after the run.
extension Run {
  /// Fetches the tokens for `--print` that are missing after the run: no step needed them, or they have expired.
  func fetchPrintedTokens() async {
    for print in configuration.prints {
      let document = documents[print.workflow]
      for index in print.authentications {
        let place = TokenWaits.Place(workflow: print.workflow, index: index)
        // If a token could not be obtained for a step, another attempt would fail, too, and might require another login.
        guard document.tokens.source(index)?.manager.freshTokens == nil, logins.waits.failures[place] == nil else { continue }
        let definition = document.workflow.authentications[index]
        if stage.isAborted || summary.earlyEnd?.cause == .interrupt || scheduler.stopReason?.cancelsTransfers == true {
          let reason = "no token was fetched for the `auth` entry `\(definition.name.value)`: \(stopWords)"
          logins.waits.failures[place] = StepEnding(.notRun, reason: reason)
          continue
        }
        do throws(RequestRefusal) {
          let source = try printedSource(index, of: document, print.workflow)
          if case .failure(let error) = await token(of: source.manager) {
            logins.waits.failures[place] = StepEnding(noToken: error, definition, source.log)
          }
        } catch {
          logins.waits.failures[place] = StepEnding(.failed, reason: error.diagnostic.message, failures: [CheckFailure(refusal: error)])
        }
      }
    }
  }

  /// Returns the token source for `--print`. The source uses the transport settings of one step of the document:
  ///
  /// - the first step that uses the token and has a request;
  /// - otherwise, the first step that has a request.
  ///
  /// If there is no such step, or if the step's settings depend on a response, the source uses only the proxy that the environment sets.
  private func printedSource(_ index: Int, of document: DocumentValues, _ workflow: Int) throws(RequestRefusal) -> TokenSource {
    let context = StepContext(document: document, known: [])
    let steps = plan.steps.filter { $0.workflowIndex == workflow && $0.step.request != nil }
    let reaching = steps.first { $0.step.inputs.contains { $0.target == .authentication(index) } } ?? steps.first
    let isReachable = reaching.map { (try? builder.reach($0, in: context)) != nil } ?? false
    return try tokenSource(index, of: document, isReachable ? reaching : nil, context, for: context)
  }

  /// Obtains a token, and returns when it has arrived or the run is stopped.
  private func token(of manager: TokenManager) async -> Result<Void, OAuthError> {
    let transport = transport
    return await withCheckedContinuation { continuation in
      logins.waits.wait(continuation)
      Task.detached {
        let result: Result<Void, OAuthError>
        do throws(OAuthError) {
          _ = try await manager.token()
          result = .success(())
        } catch {
          result = .failure(error)
        }
        transport.perform { [result] in self.assumeIsolated { $0.logins.waits.arrived(result) } }
      }
    }
  }

  /// Records the signal that interrupted the evaluation of an expression of `--print`. At that time, the run itself no longer handles
  /// signals, because all its steps have ended.
  private func noteEndOfPrint() {
    guard configuration.interrupt.urgency != nil else { return }
    summary.endedEarly(EarlyEnd(.interrupt, SignalName.name(of: configuration.interrupt.signal)))
  }

  /// Returns the value of an expression of `--print` as text. If it has no value, adds the reason to the errors of the run and returns nil.
  func evaluate(_ print: RunPrint) -> String? {
    for index in print.requiredAuthentications {
      guard let ending = logins.waits.failures[TokenWaits.Place(workflow: print.workflow, index: index)] else { continue }
      let definition = documents[print.workflow].workflow.authentications[index]
      let failure = ending.failures.first
      var diagnostic = Diagnostic(
        "no-token", failure?.sentence ?? ending.reason ?? "no token",
        at: failure?.range ?? definition.name.range)
      if let help = failure?.help { diagnostic = diagnostic.help(help) }
      summary.add(diagnostic, Self.outcome(without: ending.outcome))
      return nil
    }
    let known = print.template.expressions.flatMap(\.stepOrdinals).map { ordinal in
      StepContext.Known(step: ordinal, stored: plan.step(ordinal, of: print.workflow).flatMap { ledger.stored($0.index) })
    }
    do throws(EvaluationError) {
      let addresses = addresses(named: print.stepOrdinals, of: print.workflow, for: nil)
      let context = StepContext(document: documents[print.workflow], known: known, addresses: addresses)
      let value = try atEnd(at: print.template.range) { () throws(EvaluationError) in try print.template.evaluate(in: context) }
      // A string is printed unchanged, so that a shell can use it. Any other value is printed as JSON.
      return value.json.stringValue ?? value.json.jsonText()
    } catch {
      if error.diagnostic.code == .outOfTime { noteEndOfPrint() }
      summary.add(error.diagnostic, outcome(of: error, in: print))
      return nil
    }
  }

  /// Returns the outcome that an expression of `--print` without a value gives to the run.
  private func outcome(of error: EvaluationError, in print: RunPrint) -> Outcome {
    guard error.isUndefined, let range = error.diagnostic.range else { return .failed }
    let steps = print.template.expressions.flatMap { $0.stepOrdinals(in: range) }.compactMap { plan.step($0, of: print.workflow) }
    return steps.compactMap { ledger.outcome(of: $0.index) }.map(Self.outcome(without:)).min { $0.place < $1.place } ?? .failed
  }

  /// Returns the outcome that a missing value gives to the run.
  ///
  /// - Parameter outcome: the outcome of the step, or of the token request, that should have the value.
  private static func outcome(without outcome: Outcome) -> Outcome {
    switch outcome {
    case .failed, .error, .unreachable: outcome
    // Another step, or the reason for the end of the run, determines the exit status.
    case .blocked, .notRun: .blocked
    case .passed, .skipped: .failed
    }
  }
}

extension RunPrint {
  /// The indexes of the `auth` entries that a printed expression uses, without duplicates.
  fileprivate var authentications: [Int] {
    var found: [Int] = []
    for case .authentication(let index) in template.expressions.flatMap(\.inputs).map(\.target) where !found.contains(index) {
      found.append(index)
    }
    return found
  }

  /// The indexes of the `auth` entries to which the expression of `--print` refers without a default value (`??`).
  fileprivate var requiredAuthentications: [Int] {
    template.expressions.flatMap(\.inputs).filter { !$0.isOptional }.compactMap {
      if case .authentication(let index) = $0.target { index } else { nil }
    }
  }
}
