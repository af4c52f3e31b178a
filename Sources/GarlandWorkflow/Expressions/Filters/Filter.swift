import GarlandJSON
import GarlandText

/// The filters of the expression language. They are written as `value | name(arguments)`. A filter needs a case here, a signature, and its
/// result in ``ExpressionNode/result(of:_:_:_:_:_:)``.
package enum Filter: String, Sendable, CaseIterable {
  case base64, base64url, urlencode, raw, lower, upper, trim, length, first, last, split, join, replace, json, number, string, date, add
  case sha256, md5
  case hmacSHA256 = "hmac_sha256"
  case map, filter, sort, unique, range
  case base64Decode = "base64_decode"
  case base64urlDecode = "base64url_decode"
  case parseJSON = "parse_json"
  case jwtHeader = "jwt_header"
  case jwtClaims = "jwt_claims"
  case match
  case matchAll = "match_all"
  case regexReplace = "regex_replace"
  case lines, keys, values
  case urlParts = "url_parts"
  case parseDate = "parse_date"
  case secondsSince = "seconds_since"
  case `default`

  /// The kinds of values that a filter takes and returns, its parameters, and an example.
  struct Signature: Sendable {
    struct Parameter: Sendable {
      let name: String
      let kinds: ValueKinds
      let isOptional: Bool
      /// Whether the argument is an expression that the filter evaluates for each item of the list, with the item as `item` and its
      /// position as `index`.
      let isPerItem: Bool

      init(_ name: String, _ kinds: ValueKinds, isOptional: Bool = false, isPerItem: Bool = false) {
        self.name = name
        self.kinds = kinds
        self.isOptional = isOptional
        self.isPerItem = isPerItem
      }
    }

    let input: ValueKinds
    let parameters: [Parameter]
    let result: ValueKinds
    /// An expression with the filter, which error messages show as an example. The language reference has the same example.
    let example: String

    init(_ input: ValueKinds, _ parameters: Parameter..., result: ValueKinds, _ example: String) {
      self.input = input
      self.parameters = parameters
      self.result = result
      self.example = example
    }
  }

  /// The filter's signature: the kinds of values that it takes and returns, its parameters, and an example.
  var signature: Signature {
    switch self {
    case .base64: Signature(.text, result: .text, "secrets.KEY | base64")
    case .base64url: Signature(.text, result: .text, "vars.claims | base64url")
    case .urlencode: Signature([.text, .number, .boolean], result: .text, "vars.name | urlencode")
    case .raw: Signature(.any, result: .any, "vars.path | raw")
    case .lower: Signature(.text, result: .text, "vars.name | lower")
    case .upper: Signature(.text, result: .text, "vars.name | upper")
    case .trim: Signature(.text, result: .text, "response.text | trim")
    case .length: Signature([.text, .list, .mapping], result: .number, "list.json.items | length")
    case .first: Signature(.list, result: .any, "list.json | first")
    case .last: Signature(.list, result: .any, "list.json | last")
    case .split: Signature(.text, .init("separator", .text), result: .list, "vars.tags | split(',')")
    case .join: Signature(.list, .init("separator", .text, isOptional: true), result: .text, "list.ids | join(',')")
    case .replace: Signature(.text, .init("old", .text), .init("new", .text), result: .text, "vars.name | replace(' ', '-')")
    case .json: Signature(.any, result: .text, "create.json | json")
    case .number: Signature([.text, .number], result: .number, "env.LIMIT | number")
    case .string: Signature([.text, .number, .boolean], result: .text, "create.id | string")
    case .date: Signature([.text, .number], .init("format", .text), Self.zone, result: [.text, .number], "now() | date('%Y-%m-%d')")
    case .add: Signature([.text, .number], .init("duration", .text), result: [.text, .number], "now() | add('-1h')")
    case .sha256: Signature(.text, result: .text, "vars.body | sha256")
    case .md5: Signature(.text, result: .text, "vars.body | md5")
    case .hmacSHA256: Signature(.text, .init("key", .text), result: .text, "vars.body | hmac_sha256(secrets.KEY)")
    case .map: Signature(.list, .init("expression", .any, isPerItem: true), result: .list, "list.json | map(item.id)")
    case .filter: Signature(.list, .init("condition", .boolean, isPerItem: true), result: .list, "list.json | filter(item.price > 5)")
    case .sort:
      Signature(.list, .init("key", [.number, .text], isOptional: true, isPerItem: true), result: .list, "list.json | sort(item.price)")
    case .unique: Signature(.list, .init("key", .any, isOptional: true, isPerItem: true), result: .list, "list.json | unique(item.author)")
    case .range: Signature(.number, .init("end", .number, isOptional: true), result: .list, "3 | range")
    case .base64Decode: Signature(.text, result: .text, "response.json.data | base64_decode")
    case .base64urlDecode: Signature(.text, result: .text, "vars.state | base64url_decode")
    case .parseJSON: Signature(.text, result: .any, "response.json.payload | parse_json")
    case .jwtHeader: Signature(.text, result: .mapping, "(login.token | jwt_header).alg")
    case .jwtClaims: Signature(.text, result: .mapping, "(login.token | jwt_claims).sub")
    case .match: Signature(.text, .init("pattern", .text), Self.group, result: .text, "create.headers.Location | match('/books/([0-9]+)')")
    case .matchAll: Signature(.text, .init("pattern", .text), Self.group, result: .list, "page.text | match_all('id=([0-9]+)')")
    case .regexReplace:
      Signature(.text, .init("pattern", .text), .init("new", .text), result: .text, "vars.phone | regex_replace('[^0-9]', '')")
    case .lines: Signature(.text, result: .list, "report.text | lines")
    case .keys: Signature(.mapping, result: .list, "list.json | keys")
    case .values: Signature(.mapping, result: .list, "list.json | values")
    case .urlParts: Signature(.text, result: .mapping, "(login.url | url_parts).query.code")
    case .parseDate: Signature([.text, .number], .init("format", .text), Self.zone, result: .text, "'31.01.2026' | parse_date('%d.%m.%Y')")
    case .secondsSince:
      Signature([.text, .number], .init("time", [.text, .number]), result: .number, "job.json.finished | seconds_since(job.json.started)")
    case .default: Signature(.any, .init("value", .any), result: .any, "env.LIMIT | default(10)")
    }
  }

  private static let zone = Signature.Parameter("zone", .text, isOptional: true)
  private static let group = Signature.Parameter("group", [.number, .text], isOptional: true)
}

/// The value that a filter returns, and the way in which it is marked as secret.
enum FilterResult {
  /// A value whose secret parts are already marked as secret, such as an item of the input.
  case value(Value)
  /// A value that the filter computed. The value is secret if the input or an argument contains a secret.
  case computed(JSONValue)
}

extension ExpressionNode {
  /// Returns the result of a filter.
  ///
  /// - Parameters:
  ///   - filter: the filter.
  ///   - value: the value of `input`, of a kind that the filter takes.
  ///   - given: the values of `arguments`; empty for a filter that evaluates its arguments itself.
  ///   - arguments: the arguments of the filter.
  ///   - frame: the values that the arguments can use.
  ///   - input: the expression before the filter.
  func result(
    of filter: Filter, _ value: Value, _ given: [JSONValue], _ arguments: [ExpressionNode], _ frame: EvaluationFrame,
    _ input: ExpressionNode
  ) throws(ExpressionFailure) -> FilterResult {
    var json: JSONValue { value.json }
    var text: String { value.json.stringValue ?? "" }
    let texts = given.map { $0.stringValue ?? "" }
    switch filter {
    // The compiler replaces `default` by the operator `??`.
    case .raw, .default: return .value(value)
    case .first, .last: return .value(try end(of: value, filter, frame, input))
    case .length: return .value(.plain(JSONValue(value.length)))
    case .keys: return .value(.list(of: value.members.map { Value(.string($0.key), isSecret: value.isSecret) }))
    case .values: return .value(.list(of: value.members.map(\.value)))
    case .map, .filter, .sort, .unique: return .value(try applyPerItem(filter, value.elements, arguments, frame, input))
    case .join: return .computed(.string(try join(value.elements, separator: texts.first ?? "", input)))
    case .json: return .computed(.string(json.jsonText()))
    case .number: return .computed(.number(try number(json, frame, input)))
    case .range: return .computed(try integers(json, arguments, frame, input))
    case .date: return .computed(try date(json, format: texts.first ?? "iso", zone: texts.dropFirst().first, frame, input, arguments))
    case .add: return .computed(try later(json, by: texts.first ?? "0s", frame, input, arguments))
    case .parseDate:
      return .computed(try parsedDate(json, format: texts.first ?? "iso", zone: texts.dropFirst().first, frame, input, arguments))
    case .secondsSince: return .computed(try seconds(of: json, since: given.first ?? .null, frame, input, arguments))
    case .string: return .computed(.string(try Self.plainText(json, at: input.range)))
    case .urlencode: return .computed(.string(PercentEncoding.encode(try sized(Self.plainText(json, at: input.range)))))
    case .base64: return .computed(.string(Base64.encode(try sized(text).utf8)))
    case .base64url: return .computed(.string(Base64URL.encode(try sized(text).utf8)))
    case .lower: return .computed(.string(text.lowercased()))
    case .upper: return .computed(.string(text.uppercased()))
    case .trim: return .computed(.string(Self.trim(text)))
    case .split: return .computed(.array(try split(text, at: texts.first ?? "")))
    case .replace: return .computed(.string(try replacing(texts, in: text, arguments)))
    case .sha256: return .computed(.string(try digest(of: text, .sha256)))
    case .md5: return .computed(.string(try digest(of: text, .md5)))
    case .hmacSHA256: return .computed(.string(try authenticationCode(of: text, key: texts.first ?? "")))
    case .lines: return .computed(.array(try lines(of: text)))
    case .urlParts: return .computed(try URLParts.json(of: text, for: self))
    case .match, .matchAll, .regexReplace: return .computed(try matched(filter, text, given, arguments, frame, input))
    case .base64Decode, .base64urlDecode, .parseJSON, .jwtHeader, .jwtClaims: return .computed(try decoded(filter, text, frame, input))
    }
  }
}
