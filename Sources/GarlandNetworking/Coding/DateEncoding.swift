import FoundationEssentials
import GarlandCrypto
import GarlandJSON

/// How dates are written where a format has none of its own.
public enum DateEncoding: Sendable {
  /// As the type itself does it: the seconds since 2001.
  case deferred
  /// Seconds since 1970, with a fraction where there is one.
  case secondsSince1970
  /// Milliseconds since 1970.
  case millisecondsSince1970
  /// `2026-11-21T05:00:00Z` (RFC 3339), in UTC, in whole seconds.
  case iso8601
  /// As a closure says.
  case formatted(@Sendable (Date) -> String)

  func json(_ date: Date) -> JSONValue {
    switch self {
    case .deferred: number(date.timeIntervalSinceReferenceDate)
    case .secondsSince1970: number(date.timeIntervalSince1970)
    case .millisecondsSince1970: number(date.timeIntervalSince1970 * 1000)
    case .iso8601: .string(Timestamp.text(secondsSince1970: date.timeIntervalSince1970))
    case .formatted(let format): .string(format(date))
    }
  }

  private func number(_ seconds: Double) -> JSONValue { JSONNumber(seconds).map { .number($0) } ?? .null }
}

/// How bytes are written where a format has no place for them.
public enum DataEncoding: Sendable {
  /// As base64.
  case base64
  /// As the type itself does it: a list of numbers.
  case deferred
  /// As a closure says.
  case custom(@Sendable ([UInt8]) -> String)

  func json(_ bytes: [UInt8]) -> JSONValue {
    switch self {
    case .base64: .string(Base64.encode(bytes))
    case .deferred: .array(bytes.map { .number(JSONNumber(Int($0))) })
    case .custom(let encode): .string(encode(bytes))
    }
  }
}

extension StructuredValue {
  /// The same as JSON has it.
  public func json(dates: DateEncoding = .deferred, data: DataEncoding = .base64) -> JSONValue {
    switch self {
    case .null: return .null
    case .bool(let flag): return .bool(flag)
    case .number(let number): return .number(number)
    case .string(let text): return .string(text)
    case .date(let date): return dates.json(date)
    case .data(let bytes): return data.json(bytes)
    case .array(let elements): return .array(elements.map { $0.json(dates: dates, data: data) })
    case .object(let members):
      var object = JSONObject()
      object.reserveCapacity(members.count)
      for (key, value) in members { object[key] = value.json(dates: dates, data: data) }
      return .object(object)
    }
  }
}
