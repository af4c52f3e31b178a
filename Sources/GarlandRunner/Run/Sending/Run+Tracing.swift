import GarlandResults
import GarlandTransfer
import HTTPTypes

extension Run {
  /// Names the span of this attempt. What a report shows of a transfer that fails is the request that is kept.
  func addTrace(to transfer: inout TransferRequest, of step: ActiveStep) {
    let parent = RunTrace(runID: configuration.runID).parent(random: configuration.random())
    transfer.headerFields[.traceParent] = parent
    step.request?.transfer.headerFields[.traceParent] = parent
  }
}
