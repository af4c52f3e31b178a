import GarlandResults
import GarlandTransfer
import HTTPTypes

extension Run {
  /// Adds the trace header with a new span for this attempt. The stored request is changed too, since a report shows it if the transfer
  /// fails.
  func addTrace(to transfer: inout TransferRequest, of step: ActiveStep) {
    let parent = RunTrace(runID: configuration.series.traceID).parent(random: configuration.values.random())
    transfer.headerFields[.traceParent] = parent
    step.request?.transfer.headerFields[.traceParent] = parent
  }
}
