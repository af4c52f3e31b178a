import GarlandResults
import GarlandTransfer

/// The items that a step receives one by one: those of a stream in a response, or the messages of a connection.
protocol ItemReading: AnyObject {
  /// Whether the reading ended early because the run was stopped.
  var isStopped: Bool { get }
  /// Whether the time for checking an item was exceeded, or a stop of the run ended the check.
  var isOutOfTime: Bool { get }
  /// A summary of the items for reports; nil if no item could arrive.
  var summary: Exchange.Stream? { get }
  /// The items that were read; nil if no item could arrive.
  var record: StreamRecord? { get }

  /// Ends the reading early because the run was stopped. If no item can arrive yet, because the response has not arrived, the transfer
  /// continues until then.
  func stop(_ transfer: any SentTransfer)
  /// Changes the failure that reports `error`, an error of the transfer, so that the failure names the item to which the error belongs.
  func explain(_ failure: inout CheckFailure, for error: NetworkingError)
}
