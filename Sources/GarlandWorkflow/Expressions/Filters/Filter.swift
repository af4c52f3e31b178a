import GarlandText

/// The filters of the expression language. They are written as `value | name(arguments)`.
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

  /// The kinds of values that a filter takes and returns, its parameters, and its documentation.
  struct Signature: Sendable {
    struct Parameter: Sendable {
      let name: String
      let kinds: ValueKinds
      var isOptional = false
      /// Whether the argument is an expression that the filter evaluates for each item of the list, with the item as `item` and its
      /// position as `index`.
      var isPerItem = false
    }

    let input: ValueKinds
    var parameters: [Parameter] = []
    let result: ValueKinds
    /// A one-sentence summary of the filter for the language reference.
    let summary: String
    /// An example of the filter, for the language reference and for errors.
    let example: String
  }

  /// The filter's signature: the kinds of values that it takes and returns, its parameters, and its documentation.
  var signature: Signature {
    switch self {
    case .base64:
      Signature(input: .text, result: .text, summary: "Base64 of the text's UTF-8 bytes, padded.", example: "secrets.KEY | base64")
    case .base64url:
      Signature(
        input: .text, result: .text, summary: "Base64 for URLs of the text's UTF-8 bytes, not padded.", example: "vars.claims | base64url")
    case .urlencode:
      Signature(
        input: [.text, .number, .boolean], result: .text, summary: "Percent-encodes everything but unreserved characters.",
        example: "vars.name | urlencode")
    case .raw:
      Signature(input: .any, result: .any, summary: "In a URL: the value as it is, not percent-encoded.", example: "vars.path | raw")
    case .lower: Signature(input: .text, result: .text, summary: "Lower case.", example: "vars.name | lower")
    case .upper: Signature(input: .text, result: .text, summary: "Upper case.", example: "vars.name | upper")
    case .trim:
      Signature(input: .text, result: .text, summary: "The text without white space at its ends.", example: "response.text | trim")
    case .length:
      Signature(
        input: [.text, .list, .mapping], result: .number, summary: "Characters of a text, items of a list, members of a mapping.",
        example: "list.json.items | length")
    case .first:
      Signature(input: .list, result: .any, summary: "The first item; undefined for an empty list.", example: "list.json | first")
    case .last: Signature(input: .list, result: .any, summary: "The last item; undefined for an empty list.", example: "list.json | last")
    case .split:
      Signature(
        input: .text, parameters: [.init(name: "separator", kinds: .text)], result: .list,
        summary: "The parts between separators, as a list.",
        example: "vars.tags | split(',')")
    case .join:
      Signature(
        input: .list, parameters: [.init(name: "separator", kinds: .text, isOptional: true)], result: .text,
        summary: "The items as one text, with the separator between them.", example: "list.ids | join(',')")
    case .replace:
      Signature(
        input: .text, parameters: [.init(name: "old", kinds: .text), .init(name: "new", kinds: .text)], result: .text,
        summary: "Every occurrence of a text replaced by another.", example: "vars.name | replace(' ', '-')")
    case .json: Signature(input: .any, result: .text, summary: "The value as compact JSON.", example: "create.json | json")
    case .number:
      Signature(input: [.text, .number], result: .number, summary: "The text as a number.", example: "env.LIMIT | number")
    case .string:
      Signature(
        input: [.text, .number, .boolean], result: .text, summary: "The value as text; a number keeps its digits.",
        example: "create.id | string")
    case .date:
      Signature(
        input: [.text, .number], parameters: [.init(name: "format", kinds: .text), Self.zone], result: [.text, .number],
        summary:
          "A time in a format of `%Y %m %d %H %M %S %L` and so on, or `iso`, `http`, `unix`, `unix_ms`; in a time zone, if one is given.",
        example: "now() | date('%Y-%m-%d')")
    case .add:
      Signature(
        input: [.text, .number], parameters: [.init(name: "duration", kinds: .text)], result: [.text, .number],
        summary: "The time after a duration; a duration with a minus goes back.", example: "now() | add('-1h')")
    case .sha256:
      Signature(input: .text, result: .text, summary: "SHA-256 of the text's UTF-8 bytes, hexadecimal.", example: "vars.body | sha256")
    case .md5:
      Signature(input: .text, result: .text, summary: "MD5 of the text's UTF-8 bytes, hexadecimal.", example: "vars.body | md5")
    case .hmacSHA256:
      Signature(
        input: .text, parameters: [.init(name: "key", kinds: .text)], result: .text,
        summary: "HMAC-SHA-256 of the text's UTF-8 bytes, hexadecimal.", example: "vars.body | hmac_sha256(secrets.KEY)")
    case .map:
      Signature(
        input: .list, parameters: [.init(name: "expression", kinds: .any, isPerItem: true)], result: .list,
        summary: "The list of the values of an expression of `item` (and `index`) for each item.", example: "list.json | map(item.id)")
    case .filter:
      Signature(
        input: .list, parameters: [.init(name: "condition", kinds: .boolean, isPerItem: true)], result: .list,
        summary: "The items for which a condition on `item` (and `index`) holds.", example: "list.json | filter(item.price > 5)")
    case .sort:
      Signature(
        input: .list, parameters: [.init(name: "key", kinds: [.number, .text], isOptional: true, isPerItem: true)], result: .list,
        summary: "The items in ascending order, all numbers or all texts, or ordered by a key of each item.",
        example: "list.json | sort(item.price)")
    case .unique:
      Signature(
        input: .list, parameters: [.init(name: "key", kinds: .any, isOptional: true, isPerItem: true)], result: .list,
        summary: "The items without duplicates, or without duplicates of a key.", example: "list.json | unique(item.author)"
      )
    case .range:
      Signature(
        input: .number, parameters: [.init(name: "end", kinds: .number, isOptional: true)], result: .list,
        summary: "The whole numbers from 0 to the number, or from the number to the given end, without the end.", example: "3 | range")
    case .base64Decode:
      Signature(
        input: .text, result: .text, summary: "The decoded text of Base64 of UTF-8, padded or not. The Base64 may contain line breaks.",
        example: "response.json.data | base64_decode")
    case .base64urlDecode:
      Signature(
        input: .text, result: .text, summary: "The decoded text of Base64 for URLs of UTF-8, padded or not.",
        example: "vars.state | base64url_decode")
    case .parseJSON:
      Signature(input: .text, result: .any, summary: "The value of a JSON text.", example: "response.json.payload | parse_json")
    case .jwtHeader:
      Signature(
        input: .text, result: .mapping, summary: "The header of a JSON Web Token. Nothing verifies the signature.",
        example: "(login.token | jwt_header).alg")
    case .jwtClaims:
      Signature(
        input: .text, result: .mapping, summary: "The claims of a JSON Web Token. Nothing verifies the signature.",
        example: "(login.token | jwt_claims).sub")
    case .match:
      Signature(
        input: .text, parameters: [.init(name: "pattern", kinds: .text), Self.group], result: .text,
        summary:
          "The first match of a regular expression: its named group, else its first group, else all of it; undefined without a match.",
        example: "create.headers.Location | match('/books/([0-9]+)')")
    case .matchAll:
      Signature(
        input: .text, parameters: [.init(name: "pattern", kinds: .text), Self.group], result: .list,
        summary: "The list of the matches of a regular expression.", example: "page.text | match_all('id=([0-9]+)')")
    case .regexReplace:
      Signature(
        input: .text, parameters: [.init(name: "pattern", kinds: .text), .init(name: "new", kinds: .text)], result: .text,
        summary:
          "Every match of a regular expression replaced. In the new text `$1` is a group, `$<name>` a named one, `$0` the match, `$$` a `$`.",
        example: "vars.phone | regex_replace('[^0-9]', '')")
    case .lines:
      Signature(input: .text, result: .list, summary: "The lines of a text, without their ends.", example: "report.text | lines")
    case .keys:
      Signature(input: .mapping, result: .list, summary: "The names of a mapping's members.", example: "list.json | keys")
    case .values:
      Signature(input: .mapping, result: .list, summary: "The values of a mapping's members.", example: "list.json | values")
    case .urlParts:
      Signature(
        input: .text, result: .mapping,
        summary:
          "The existing parts of a URL: `scheme`, `user`, `password`, `host`, `port` (of `http` and `https` always), `path`, `query` (a mapping), `fragment`. `user`, `password`, `host` and `query` are percent-decoded; `path` and `fragment` are not.",
        example: "(login.url | url_parts).query.code")
    case .parseDate:
      Signature(
        input: [.text, .number], parameters: [.init(name: "format", kinds: .text), Self.zone], result: .text,
        summary: "The RFC 3339 form of a time in a format of `date`. A time without a zone is in the given time zone, else in UTC.",
        example: "'31.01.2026' | parse_date('%d.%m.%Y')")
    case .secondsSince:
      Signature(
        input: [.text, .number], parameters: [.init(name: "time", kinds: [.text, .number])], result: .number,
        summary: "The seconds from another time to this one; negative if this one is earlier.",
        example: "job.json.finished | seconds_since(job.json.started)")
    case .default:
      Signature(
        input: .any, parameters: [.init(name: "value", kinds: .any)], result: .any,
        summary: "Like `??`: replaces a value that is undefined or null.", example: "env.LIMIT | default(10)")
    }
  }

  private static let zone = Signature.Parameter(name: "zone", kinds: .text, isOptional: true)
  private static let group = Signature.Parameter(name: "group", kinds: [.number, .text], isOptional: true)
}
