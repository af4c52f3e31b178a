/// The descriptions of the keys for requests and responses.
extension StepKey {
  /// The description of a key for the content of a request, such as its parameters, body and credentials; nil for any other key.
  var contentInfo: KeyInfo? {
    switch self {
    case .baseURL: KeyInfo(.url, "The URL that relative URLs are appended to.", "https://example.com/v1")
    case .params:
      KeyInfo(
        .parameters,
        "Parameters, encoded as Alamofire does: in the query of GET, HEAD and DELETE, in the body of other methods.", "{ page: 2 }")
    case .encoding:
      KeyInfo(.oneOf(ParametersTemplate.Encoding.allCases.map(\.rawValue)), "The format of `params`. Default: `url`.", "json")
    case .destination:
      KeyInfo(
        .oneOf(ParametersTemplate.Destination.allCases.map(\.rawValue)),
        "The place of `params`. Default: `method`, which chooses by the method.", "query")
    case .arrays:
      KeyInfo(
        .oneOf(ParametersTemplate.Arrays.allCases.map(\.rawValue)), "How lists in `params` are written: `a[]=1`, `a=1` or `a[0]=1`.", "none"
      )
    case .bools: KeyInfo(.oneOf(ParametersTemplate.Booleans.allCases.map(\.rawValue)), "`1` or `true` in `params`.", "literal")
    case .spaces: KeyInfo(.oneOf(ParametersTemplate.Spaces.allCases.map(\.rawValue)), "`%20` or `+` in `params`.", "plus")
    case .nulls: KeyInfo(.oneOf(ParametersTemplate.Nulls.allCases.map(\.rawValue)), "The encoding of null in `params`.", "drop_value")
    case .query:
      KeyInfo(
        .either([.mapping(.anything), .expression]), "The query, in this order; a list repeats its name, null leaves it out.",
        "{ q: dune, page: 2 }")
    case .form: KeyInfo(.either([.mapping(.anything), .expression]), "A form as a browser sends it, as the body.", "{ user: alice }")
    case .json: KeyInfo(.anything, "A JSON body.", "{ title: Dune, price: 9.50 }")
    case .plist: KeyInfo(.anything, "An XML property list as the body.", "{ name: Dune }")
    case .body: KeyInfo(.either([.text, .table("body")]), "A body of text, of a file, or of base64.", "{ file: order.xml }")
    case .graphql: KeyInfo(.either([.text, .table("graphql")]), "A GraphQL request, sent as JSON.", "{ query: '{ books { title } }' }")
    case .multipart:
      KeyInfo(
        .either([.mapping(.either([.text, .table("part")])), .list(.table("named part"))]),
        "A multipart form; a list where a name repeats.", "{ image: { file: cover.png, type: image/png }, caption: Front cover }")
    case .headers:
      KeyInfo(.mapping(.either([.text, .list(.text), .null])), "Header fields; null removes a default.", "{ Accept: application/json }")
    case .auth:
      KeyInfo(
        .either([.name, .null]), "An entry of the document's `auth`. `none` sends no credentials, also if the defaults have some.", "shop")
    case .bearer: KeyInfo(.either([.text, .null]), "A bearer token; null removes a default.", "${login.token}")
    case .basic:
      KeyInfo(
        .either([.pattern(":"), .null]), "User and password, with a `:` between them; null removes a default.", "alice:${secrets.PASSWORD}")
    case .digest:
      KeyInfo(
        .either([.pattern(":"), .null]),
        "User and password, of which only digests are sent, after the server's challenge; null removes a default.",
        "alice:${secrets.PASSWORD}")
    default: nil
    }
  }

  /// The description of a key that reads or checks the response; nil for any other key.
  var responseInfo: KeyInfo? {
    switch self {
    case .download:
      KeyInfo(.either([.text, .table("download")]), "Writes the body of the response to a file.", "out/cover.png")
    case .events:
      KeyInfo(
        .either([.yes, .table("events")]),
        "Reads the response as a stream of server-sent events while they arrive; its keys limit how many.", "{ count: 3 }")
    case .lines:
      KeyInfo(
        .either([.yes, .table("lines")]), "Reads the response as JSON lines while they arrive; its keys limit how many.",
        "{ each: { json: { $.id: { type: integer } } } }")
    case .parts:
      KeyInfo(
        .either([.yes, .table("parts")]),
        "Reads a multipart response, such as the pictures of a camera, part by part while they arrive; its keys limit how many.",
        "{ count: 3, each: { type: image/jpeg } }")
    case .expect: KeyInfo(.table("expect"), "Requirements on the response.", "{ status: 201 }")
    case .extract:
      KeyInfo(
        .mapping(.either([.pattern("^\\$"), .table("extract")])), "Values of the response for other steps, by name.",
        "{ id: $.id }")
    default: nil
    }
  }
}
