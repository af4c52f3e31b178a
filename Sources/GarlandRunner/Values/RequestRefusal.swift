import GarlandResults
import GarlandWorkflow

/// The reason why the request of a step could not be built.
enum RequestRefusal: Error {
  /// A value is undefined or invalid.
  case value(EvaluationError)
  /// A file can't be read or written.
  case file(CheckFailure)
  /// Every value exists, but the request that results from the values is invalid.
  case request(CheckFailure)
}
