import GarlandJSON
import GarlandResults

/// Determines how many bytes of each body an HTML page keeps, so that the page's size is limited for any number of steps.
struct BodyBudget {
  /// The maximum size of all bodies of a page together.
  static let total = 11 << 20
  private static let ladder = [64 << 10, 32 << 10, 16 << 10, 8 << 10, 4 << 10, 2 << 10, 1 << 10, 512, 256, 128, 64, 0]
  /// The maximum number of bytes to keep of each body of a step that passed.
  private static let mostOfPassed = 16 << 10

  /// For each limit in `ladder`, the total size of all bodies if each body is truncated to this limit. The sum for steps with a problem is
  /// in `problems`, the sum for all other steps is in `others`.
  private var sums = (problems: [Int](repeating: 0, count: Self.ladder.count), others: [Int](repeating: 0, count: Self.ladder.count))

  /// Adds the sizes of the bodies in a result to the total sizes.
  mutating func count(_ result: StepResult) {
    for exchange in result.exchanges {
      for body in [exchange.requestBody, exchange.responseBody] {
        guard let size = body?.bytes.count, size > 0 else { continue }
        for (place, limit) in Self.ladder.enumerated() {
          if result.outcome.isProblem { sums.problems[place] += min(size, limit) } else { sums.others[place] += min(size, limit) }
        }
      }
    }
  }

  /// The maximum size in bytes of each body: `problems` for a step with a problem, such as a failure, and `others` for any other step.
  /// Bodies of steps with a problem have priority; the other bodies share the rest of ``total``.
  var limits: (problems: Int, others: Int) {
    let first = Self.ladder.indices.first { sums.problems[$0] <= Self.total } ?? Self.ladder.count - 1
    let left = Self.total - sums.problems[first]
    let second = Self.ladder.indices.first { Self.ladder[$0] <= Self.mostOfPassed && sums.others[$0] <= left } ?? Self.ladder.count - 1
    return (Self.ladder[first], Self.ladder[second])
  }

  /// Returns a result in which each body is cut to at most `limit` bytes. If there is not enough memory to cut the bodies, returns the
  /// result unchanged.
  ///
  /// - Parameter result: the result as JSON text. The returned result is JSON text too.
  static func cut(_ result: ArraySlice<UInt8>, to limit: Int) -> [UInt8] {
    let computation = Computation(limit: nil)
    let cut = computation.run { shorter(result, to: limit) }
    return computation.hasEnded ? Array(result) : cut
  }

  private static func shorter(_ result: ArraySlice<UInt8>, to limit: Int) -> [UInt8] {
    guard result.count > limit, let value = try? JSONValue(parsing: Array(result)), case .object(var members) = value,
      let exchanges = members["exchanges"]?.arrayValue
    else { return Array(result) }
    members["exchanges"] = .array(
      exchanges.map { exchange in
        guard case .object(var members) = exchange else { return exchange }
        for name in ["requestBody", "responseBody"] {
          if case .object(let body)? = members[name] { members[name] = .object(cut(body, to: limit)) }
        }
        return .object(members)
      })
    return Array(JSONValue.object(members).jsonText().utf8)
  }

  private static func cut(_ body: JSONObject, to limit: Int) -> JSONObject {
    var body = body
    if let text = body["text"]?.stringValue, text.utf8.count > limit {
      body["text"] = .string(String(decoding: text.utf8.prefix(limit), as: UTF8.self).trimmingBrokenEnd)
      body["truncated"] = true
    } else if let text = body["base64"]?.stringValue, text.utf8.count > limit {
      body["base64"] = .string(String(text.prefix(limit / 4 * 4)))
      body["truncated"] = true
    }
    guard limit == 0, body["truncated"] != nil else { return body }
    body["text"] = nil
    body["base64"] = nil
    body["cut"] = true
    return body
  }
}

extension String {
  /// The text without the replacement characters (U+FFFD) at its end. Such characters occur if the text was cut in the middle of a
  /// character.
  fileprivate var trimmingBrokenEnd: String {
    var text = self
    while text.unicodeScalars.last == "\u{FFFD}" { text.unicodeScalars.removeLast() }
    return text
  }
}
