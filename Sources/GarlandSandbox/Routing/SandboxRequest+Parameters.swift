import GarlandJSON

/// Reads the parameters of a route. Errors describe the invalid parameter.
extension SandboxRequest {
  /// Returns the value of a placeholder of the route.
  func parameter(_ name: String) -> String { parameters[name] ?? "" }

  /// Returns the value of a placeholder of the route as a whole number. Throws a response with status 400 if the value is not a whole
  /// number in `range`.
  func integer(_ name: String, in range: ClosedRange<Int>) throws(Refusal) -> Int {
    try Self.integer(name, parameter(name), range)
  }

  /// Returns the value of a query parameter, which must be a whole number in `range`. If the parameter is missing, returns the default.
  func queryInteger(_ name: String, default fallback: Int, in range: ClosedRange<Int>) throws(Refusal) -> Int {
    guard let text = query[name] else { return fallback }
    return try Self.integer(name, text, range)
  }

  /// Parses a number of seconds, possibly with decimals, up to a limit.
  static func seconds(_ name: String, _ text: String, upTo limit: Double) throws(Refusal) -> Duration {
    guard let seconds = Double(text), seconds.isFinite, (0...limit).contains(seconds) else {
      throw Refusal(400, "\(name) has to be a number of seconds from 0 to \(Int(limit))")
    }
    return .nanoseconds(Int64(seconds * 1e9))
  }

  func querySeconds(_ name: String, default fallback: Double, upTo limit: Double) throws(Refusal) -> Duration {
    try Self.seconds(name, query[name] ?? "\(fallback)", upTo: limit)
  }

  /// Whether a query parameter exists and is not `0`, `false` or `no`.
  func flag(_ name: String) -> Bool {
    guard let value = query[name] else { return false }
    return !["0", "false", "no"].contains(value.asciiLowercased)
  }

  /// Returns the body as a JSON object.
  func jsonObject() throws(Refusal) -> JSONObject {
    guard let value = JSONText.decode(body.kept), body.isWhole else { throw Refusal(400, "the body is not JSON") }
    guard case .object(let object) = value else { throw Refusal(422, "the body has to be a JSON object") }
    return object
  }

  /// The body as urlencoded pairs; nil if the body does not have the media type application/x-www-form-urlencoded.
  var form: FormPairs? {
    guard contentType?.essence == "application/x-www-form-urlencoded", let text = body.text else { return nil }
    return FormPairs(text)
  }

  private static func integer(_ name: String, _ text: String, _ range: ClosedRange<Int>) throws(Refusal) -> Int {
    guard let number = Int(text), range.contains(number) else {
      throw Refusal(400, "\(name) has to be a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }
}
