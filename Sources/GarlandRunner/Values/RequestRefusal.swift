import GarlandResults
import GarlandWorkflow

/// Why a request could not be made of a step.
enum RequestRefusal: Error {
  /// A value is undefined or can't be what it should be.
  case value(EvaluationError)
  /// A file can't be read or written.
  case file(CheckFailure)
  /// The values are there, but no request can be made of them.
  case request(CheckFailure)
}
