import GarlandJSON

extension StructuredValue {
  /// Returns the value as JSON.
  public func json(dates: DateEncoding = .deferred, data: DataEncoding = .base64) -> JSONValue {
    if let computation = Computation.current, computation.isOver(after: 8) { return .null }
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
