import FoundationEssentials
import GarlandJSON
import GarlandText

extension StructuredValue {
  /// Returns the value as JSON. An error that a closure of `dates` or `data` throws becomes
  /// ``ParameterEncodingError/failed(_:)``.
  public func json(dates: DateEncoding, data: DataEncoding = .base64) throws(ParameterEncodingError) -> JSONValue {
    try json { (date) throws(ParameterEncodingError) in
      try dates.json(date)
    } data: { (bytes) throws(ParameterEncodingError) in
      try data.json(bytes)
    }
  }

  /// The value as JSON, with dates as in RFC 3339 and bytes in base64.
  package var jsonWithISO8601Dates: JSONValue {
    json {
      .string(InternetTime.text(secondsSince1970: $0.timeIntervalSince1970))
    } data: {
      .string(Base64.encode($0))
    }
  }

  /// Returns the value as JSON, with dates as seconds since 2001 and bytes in base64.
  public func json() -> JSONValue {
    json {
      JSONNumber($0.timeIntervalSinceReferenceDate).map { .number($0) } ?? .null
    } data: {
      .string(Base64.encode($0))
    }
  }

  private func json<Failure: Error>(
    date dateJSON: (Date) throws(Failure) -> JSONValue, data dataJSON: ([UInt8]) throws(Failure) -> JSONValue
  ) throws(Failure) -> JSONValue {
    if let computation = Computation.current, computation.isOver(after: 8) { return .null }
    switch self {
    case .null: return .null
    case .bool(let flag): return .bool(flag)
    case .number(let number): return .number(number)
    case .string(let text): return .string(text)
    case .date(let date): return try dateJSON(date)
    case .data(let bytes): return try dataJSON(bytes)
    case .array(let elements):
      var values: [JSONValue] = []
      values.reserveCapacity(elements.count)
      for element in elements { values.append(try element.json(date: dateJSON, data: dataJSON)) }
      return .array(values)
    case .object(let members):
      var object = JSONObject()
      object.reserveCapacity(members.count)
      for (key, value) in members { object[key] = try value.json(date: dateJSON, data: dataJSON) }
      return .object(object)
    }
  }
}
