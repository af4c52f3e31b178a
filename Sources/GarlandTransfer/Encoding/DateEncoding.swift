import FoundationEssentials
import GarlandJSON
import GarlandText

/// The representation of dates in a request's parameters. JSON and URL-encoded forms have no type for dates.
public enum DateEncoding: Sendable {
  /// A date is written as the number of seconds since 2001, as in the `Encodable` conformance of `Date`.
  case deferred
  /// A date is written as the number of seconds since 1970, with a fraction of a second if necessary.
  case secondsSince1970
  /// A date is written as the number of milliseconds since 1970.
  case millisecondsSince1970
  /// A date is written as `2026-11-21T05:00:00Z` (RFC 3339), in UTC, in whole seconds.
  case iso8601
  /// The closure converts a date to a text. An error that it throws becomes
  /// ``ParameterEncodingError/failed(_:)``.
  case formatted(@Sendable (Date) throws -> String)

  func json(_ date: Date) throws(ParameterEncodingError) -> JSONValue {
    switch self {
    case .deferred: return number(date.timeIntervalSinceReferenceDate)
    case .secondsSince1970: return number(date.timeIntervalSince1970)
    case .millisecondsSince1970: return number(date.timeIntervalSince1970 * 1000)
    case .iso8601: return .string(InternetTime.text(secondsSince1970: date.timeIntervalSince1970))
    case .formatted(let format):
      do {
        return .string(try format(date))
      } catch {
        throw .failed(.init(error))
      }
    }
  }

  private func number(_ seconds: Double) -> JSONValue { JSONNumber(seconds).map { .number($0) } ?? .null }
}
