import GarlandResults
import GarlandTransfer

/// The items that a step receives one by one: those of a stream in a response, or the messages of a connection.
protocol ItemReading: AnyObject {
  /// Whether the reading ended early because the run was stopped.
  var isStopped: Bool { get }
  /// Whether the check of the items was ended early, because the check of an item took too long or the run was stopped.
  var isOutOfTime: Bool { get }
  /// A summary of the items for reports. Nil if no item could arrive, because the response is not a stream or the WebSocket connection was
  /// not opened.
  var summary: Exchange.Stream? { get }
  /// The record of the items that were read. Nil if the response is not a stream. Also nil if the WebSocket connection was not opened,
  /// since no item can then arrive.
  var record: StreamRecord? { get }

  /// When the run is stopped, ends the reading of items. If the response has not arrived yet, the transfer first continues until the
  /// response arrives.
  func stop(_ transfer: any SentTransfer)
  /// If the error occurred in a stream item or in an entry of `talk`, changes the failure of the transfer so that its message names this
  /// item or entry. Otherwise has no effect.
  ///
  /// - Parameter error: the error of the transfer that `failure` reports.
  func explain(_ failure: inout CheckFailure, for error: NetworkingError)
}
