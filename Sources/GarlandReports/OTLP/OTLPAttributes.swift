/// The attributes of a span or a resource in OTLP's JSON format: a list of names and typed values.
struct OTLPAttributes {
  private enum Value {
    case text(String)
    case number(Int)
    case fraction(String)
    case texts([String])
  }

  private var members: [(name: StaticString, value: Value)] = []

  /// Adds an attribute whose value is a string. Adds nothing if `value` is nil.
  mutating func add(_ name: StaticString, _ value: String?) {
    if let value { members.append((name, .text(value))) }
  }

  /// Adds an attribute whose value is a number. Adds nothing if `value` is nil.
  mutating func add(_ name: StaticString, _ value: Int?) {
    if let value { members.append((name, .number(value))) }
  }

  /// Adds a duration in seconds.
  mutating func add(_ name: StaticString, _ value: Duration) { members.append((name, .fraction(Readable.seconds(value)))) }

  /// Adds a list of strings, or nothing if the list is empty.
  mutating func add(_ name: StaticString, _ values: [String]) {
    if !values.isEmpty { members.append((name, .texts(values))) }
  }

  func write(in json: inout JSONWriter) {
    json.array("attributes", members) { json, member in
      json.object { json in
        json.word("key", "\(member.name)")
        json.object("value") { json in
          switch member.value {
          case .text(let text): json.member("stringValue", text)
          // An int64 of protobuf is a string in JSON.
          case .number(let number): json.word("intValue", "\(number)")
          case .fraction(let number): json.raw("doubleValue", number)
          case .texts(let texts):
            json.object("arrayValue") { json in
              json.array("values", texts) { json, text in json.object { $0.member("stringValue", text) } }
            }
          }
        }
      }
    }
  }
}
