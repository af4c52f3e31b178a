import GarlandResults
import GarlandTransfer
import HTTPTypes

extension Run {
  /// Names the span of this attempt. The stored request is the one that a report shows for a failed
  /// transfer.
  func addTrace(to transfer: inout TransferRequest, of step: ActiveStep) {
    let parent = RunTrace(runID: configuration.traceID).parent(random: configuration.random())
    transfer.headerFields[.traceParent] = parent
    step.request?.transfer.headerFields[.traceParent] = parent
  }
}
