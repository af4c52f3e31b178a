import GarlandResults
import GarlandWorkflow

/// The reason why the request of a step could not be built.
enum RequestRefusal: Error {
  /// A value is undefined or invalid.
  case value(EvaluationError)
  /// A file can't be read or written.
  case file(CheckFailure)
  /// The values exist, but they do not result in a valid request.
  case request(CheckFailure)
}
