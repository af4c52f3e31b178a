import FoundationEssentials
import GarlandJSON

/// The form of dates in formats without dates of their own.
public enum DateEncoding: Sendable {
  /// The form of the type itself: seconds since 2001.
  case deferred
  /// Seconds since 1970, with a fraction if there is one.
  case secondsSince1970
  /// Milliseconds since 1970.
  case millisecondsSince1970
  /// `2026-11-21T05:00:00Z` (RFC 3339), in UTC, in whole seconds.
  case iso8601
  /// A closure writes the text. An error that it throws becomes
  /// ``ParameterEncodingError/failed(_:)``.
  case formatted(@Sendable (Date) throws -> String)

  func json(_ date: Date) throws(ParameterEncodingError) -> JSONValue {
    switch self {
    case .deferred: return number(date.timeIntervalSinceReferenceDate)
    case .secondsSince1970: return number(date.timeIntervalSince1970)
    case .millisecondsSince1970: return number(date.timeIntervalSince1970 * 1000)
    case .iso8601: return .string(Timestamp.text(secondsSince1970: date.timeIntervalSince1970))
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
