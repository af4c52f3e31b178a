import GarlandJSON
import Testing

/// The examples of RFC 9535, section by section. If the standard allows several orders of an object's members, the expected order is that
/// of the document.
@Suite("JSONPath: the examples of RFC 9535")
struct JSONPathStandardTests {
  private func check(_ document: String, _ path: String, _ values: String, _ paths: [String]? = nil) throws {
    let document = try json(document)
    let path = try JSONPath(path)
    let nodes = try path.nodes(in: document)
    #expect(JSONValue.array(nodes.map(\.value)) == (try json(values)), "\(path)")
    #expect(try path.values(in: document) == nodes.map(\.value))
    if let paths { #expect(nodes.map(\.location.description) == paths) }
    for node in nodes {
      // A normalized path selects its node and nothing else.
      #expect(try JSONPath(node.location.description).nodes(in: document) == [node])
      #expect(try node.location.pointer.value(in: document) == node.value)
    }
  }

  private static let bookstore = #"""
    {"store":{"book":[{"category":"reference","author":"Nigel Rees","title":"Sayings of the Century","price":8.95},
    {"category":"fiction","author":"Evelyn Waugh","title":"Sword of Honour","price":12.99},
    {"category":"fiction","author":"Herman Melville","title":"Moby Dick","isbn":"0-553-21311-3","price":8.99},
    {"category":"fiction","author":"J. R. R. Tolkien","title":"The Lord of the Rings","isbn":"0-395-19395-8","price":22.99}],
    "bicycle":{"color":"red","price":399}}}
    """#

  @Test(
    "§1.5: the paths of the bookstore example select the expected values",
    arguments: [
      ("$.store.book[*].author", #"["Nigel Rees","Evelyn Waugh","Herman Melville","J. R. R. Tolkien"]"#),
      ("$..author", #"["Nigel Rees","Evelyn Waugh","Herman Melville","J. R. R. Tolkien"]"#),
      ("$.store..price", "[8.95,12.99,8.99,22.99,399]"), ("$..book[2].author", #"["Herman Melville"]"#), ("$..book[2].publisher", "[]"),
      ("$..book[-1].title", #"["The Lord of the Rings"]"#),
      ("$..book[0,1].title", #"["Sayings of the Century","Sword of Honour"]"#),
      ("$..book[:2].title", #"["Sayings of the Century","Sword of Honour"]"#), ("$..book[?@.isbn].price", "[8.99,22.99]"),
      ("$..book[?@.price<10].title", #"["Sayings of the Century","Moby Dick"]"#), ("$.store.bicycle.*", #"["red",399]"#),
      ("$['store']['bicycle']['color']", #"["red"]"#),
    ])
  func bookstore(path: String, values: String) throws {
    try check(JSONPathStandardTests.bookstore, path, values)
    #expect(try JSONPath("$..*").values(in: json(JSONPathStandardTests.bookstore)).count == 27)
    #expect(try JSONPath("$.store.*").nodes(in: json(JSONPathStandardTests.bookstore)).count == 2)
  }

  @Test("§2.2.3: the example of the root identifier selects the expected value")
  func root() throws {
    try check(#"{"k":"v"}"#, "$", #"[{"k":"v"}]"#, ["$"])
  }

  @Test(
    "§2.3.1.3: the examples of name selectors select the expected values",
    arguments: [
      ("$.o['j j']", #"[{"k.k":3}]"#, ["$['o']['j j']"]), ("$.o['j j']['k.k']", "[3]", ["$['o']['j j']['k.k']"]),
      (#"$.o["j j"]["k.k"]"#, "[3]", ["$['o']['j j']['k.k']"]),
      (#"$["'"]["@"]"#, "[2]", ["$['\\'']['@']"]),
    ])
  func names(path: String, values: String, paths: [String]) throws {
    try check(#"{"o":{"j j":{"k.k":3}},"'":{"@":2}}"#, path, values, paths)
  }

  @Test(
    "§2.3.2.3: the examples of wildcards select the expected values",
    arguments: [
      ("$[*]", #"[{"j":1,"k":2},[5,3]]"#, ["$['o']", "$['a']"]), ("$.o[*]", "[1,2]", ["$['o']['j']", "$['o']['k']"]),
      ("$.o[*, *]", "[1,2,1,2]", ["$['o']['j']", "$['o']['k']", "$['o']['j']", "$['o']['k']"]),
      ("$.a[*]", "[5,3]", ["$['a'][0]", "$['a'][1]"]),
    ])
  func wildcards(path: String, values: String, paths: [String]) throws {
    try check(#"{"o":{"j":1,"k":2},"a":[5,3]}"#, path, values, paths)
  }

  @Test(
    "§2.3.3.3: the examples of index selectors select the expected values",
    arguments: [("$[1]", #"["b"]"#, ["$[1]"]), ("$[-2]", #"["a"]"#, ["$[0]"]), ("$[2]", "[]", []), ("$[-3]", "[]", [])])
  func indexes(path: String, values: String, paths: [String]) throws {
    try check(#"["a","b"]"#, path, values, paths)
  }

  @Test(
    "§2.3.4.3: the examples of slices select the expected values",
    arguments: [
      ("$[1:3]", #"["b","c"]"#), ("$[5:]", #"["f","g"]"#), ("$[1:5:2]", #"["b","d"]"#), ("$[5:1:-2]", #"["f","d"]"#),
      ("$[::-1]", #"["g","f","e","d","c","b","a"]"#), ("$[:]", #"["a","b","c","d","e","f","g"]"#),
      ("$[::0]", "[]"), ("$[-3:]", #"["e","f","g"]"#), ("$[:-5]", #"["a","b"]"#), ("$[-100:2]", #"["a","b"]"#),
      ("$[100:0:-3]", #"["g","d"]"#), ("$[0:9007199254740991:3]", #"["a","d","g"]"#), ("$[3:1]", "[]"),
      ("$[:1:-1]", #"["g","f","e","d","c"]"#), ("$[2::-1]", #"["c","b","a"]"#), ("$[-1:-4:-1]", #"["g","f","e"]"#), ("$[0:3:-1]", "[]"),
      ("$[::9007199254740991]", #"["a"]"#), ("$[-9007199254740991::-9007199254740991]", "[]"),
    ])
  func slices(path: String, values: String) throws {
    try check(#"["a","b","c","d","e","f","g"]"#, path, values)
  }

  @Test(
    "§2.3.5.3: the examples of comparisons have the expected results",
    arguments: [
      ("$.absent1 == $.absent2", true), ("$.absent1 <= $.absent2", true), ("$.absent == 'g'", false), ("$.absent1 != $.absent2", false),
      ("$.absent != 'g'", true), ("1 <= 2", true), ("1 > 2", false),
      ("13 == '13'", false), ("'a' <= 'b'", true), ("'a' > 'b'", false), ("$.obj == $.arr", false), ("$.obj != $.arr", true),
      ("$.obj == $.obj", true), ("$.obj != $.obj", false), ("$.arr == $.arr", true),
      ("$.arr != $.arr", false), ("$.obj == 17", false), ("$.obj != 17", true), ("$.obj <= $.arr", false), ("$.obj < $.arr", false),
      ("$.obj <= $.obj", true), ("$.arr <= $.arr", true), ("1 <= $.arr", false),
      ("1 >= $.arr", false), ("1 > $.arr", false), ("1 < $.arr", false), ("true <= true", true), ("true > true", false),
      // These comparisons follow from the same rules.
      ("null == null", true), ("null <= null", true), ("false == 0", false), ("1 == 1.0", true), ("-0 == 0", true), ("1e2 == 100", true),
      ("$.absent == null", false), ("$.absent < 1", false), ("'\\u00e9' == '\\u0065\\u0301'", false),
      ("'\\uD83D\\uDE00' > '\\uFFFD'", true), ("'' < 'a'", true), ("'a' < 'ab'", true),
      ("12345678901234567890.1 < 12345678901234567890.2", true), ("$.obj == $['obj']", true), ("$.arr[0] == 2", true),
      ("2 == $.arr[-2]", true),
    ])
  func comparisons(condition: String, holds: Bool) throws {
    let document = try json(#"{"obj":{"x":"y"},"arr":[2,3]}"#)
    // The standard's conditions are all absolute, so any child does.
    #expect(try JSONPath("$.arr[?\(condition)]").values(in: document).count == (holds ? 2 : 0))
    #expect(try JSONPath("$.arr[?!(\(condition))]").values(in: document).count == (holds ? 0 : 2))
  }

  @Test(
    "§2.3.5.3: the examples of filters select the expected values",
    arguments: [
      ("$.a[?@.b == 'kilo']", #"[{"b":"kilo"}]"#), ("$.a[?(@.b == 'kilo')]", #"[{"b":"kilo"}]"#), ("$.a[?@>3.5]", "[5,4,6]"),
      ("$.a[?@.b]", #"[{"b":"j"},{"b":"k"},{"b":{}},{"b":"kilo"}]"#),
      ("$[?@.*]", #"[[3,5,1,2,4,6,{"b":"j"},{"b":"k"},{"b":{}},{"b":"kilo"}],{"p":1,"q":2,"r":3,"s":5,"t":{"u":6}}]"#),
      ("$[?@[?@.b]]", #"[[3,5,1,2,4,6,{"b":"j"},{"b":"k"},{"b":{}},{"b":"kilo"}]]"#),
      ("$.o[?@<3, ?@<3]", "[1,2,1,2]"), (#"$.a[?@<2 || @.b == "k"]"#, #"[1,{"b":"k"}]"#),
      (#"$.a[?match(@.b, "[jk]")]"#, #"[{"b":"j"},{"b":"k"}]"#), (#"$.a[?search(@.b, "[jk]")]"#, #"[{"b":"j"},{"b":"k"},{"b":"kilo"}]"#),
      ("$.o[?@>1 && @<4]", "[2,3]"), ("$.o[?@.u || @.x]", #"[{"u":6}]"#), ("$.a[?@.b == $.x]", "[3,5,1,2,4,6]"),
      ("$.a[?@ == @]", #"[3,5,1,2,4,6,{"b":"j"},{"b":"k"},{"b":{}},{"b":"kilo"}]"#),
    ])
  func filters(path: String, values: String) throws {
    try check(
      #"{"a":[3,5,1,2,4,6,{"b":"j"},{"b":"k"},{"b":{}},{"b":"kilo"}],"o":{"p":1,"q":2,"r":3,"s":5,"t":{"u":6}},"e":"f"}"#, path, values)
  }

  @Test(
    "§2.4: functions in filters select the expected values",
    arguments: [
      ("$[?length(@.authors) >= 5]", #"[{"authors":[1,2,3,4,5]}]"#),
      ("$[?count(@.*.author) >= 2]", #"[{"x":{"author":1},"y":{"author":2}}]"#),
      (#"$[?match(@.date, "1974-05-..")]"#, #"[{"date":"1974-05-01"}]"#),
      (#"$[?search(@.author, "[BR]ob")]"#, #"[{"author":"Uncle Bob"}]"#), (#"$[?value(@..color) == "red"]"#, #"[{"a":{"color":"red"}}]"#),
      ("$[?length(@) == 2]", #"[{"x":{"author":1},"y":{"author":2}},{"a":{"color":"red"},"b":{"color":"red"}}]"#),
      ("$[?length(@.none) == length(@.other)]", nil),
      ("$[?count(@.*) == 1 && length(@) == 1]", nil), ("$[?match(@, 'é')]", #"["é"]"#),
      ("$[?match(@.pattern, @.pattern)]", #"[{"pattern":"a+b"}]"#), ("$[?!search(@, '.')]", nil),
    ] as [(String, String?)])
  func functions(path: String, values: String?) throws {
    let document = #"""
      [{"authors":[1,2,3,4,5]},{"x":{"author":1},"y":{"author":2}},{"date":"1974-05-01"},{"date":"1974-05-011"},{"author":"Uncle Bob"},{"a":{"color":"red"}},{"a":{"color":"red"},"b":{"color":"red"}},"é",{"pattern":"a+b"}]
      """#
    if let values {
      // The pattern `a+b` does not match itself: `+` repeats.
      try check(document, path, path.contains("@.pattern") ? "[]" : values)
    } else {
      #expect(throws: Never.self) { try JSONPath(path).values(in: json(document)) }
    }
  }

  @Test(
    "§2.4.9: a path is accepted only if its function expressions are well-typed",
    arguments: [
      ("$[?length(@) < 3]", true), ("$[?length(@.*) < 3]", false), ("$[?count(@.*) == 1]", true), ("$[?count(1) == 1]", false),
      ("$[?match(@.timezone, 'Europe/.*')]", true),
      ("$[?match(@.timezone, 'Europe/.*') == true]", false), ("$[?value(@..color) == \"red\"]", true), ("$[?value(@..color)]", false),
      ("$[?count(foo(@.*)) == 1]", false),
      ("$[?length(value(@.*)) == 1]", true), ("$[?match(length(@), 'a')]", true), ("$[?length(match(@,'a')) == 1]", false),
      ("$[?length(@)]", false), ("$[?!length(@)]", false), ("$[?length(@ == 1) == 1]", false),
      ("$[?count(@) == 1]", true), ("$[?count($..*) > 0]", true), ("$[?length('abc') == 3]", true), ("$[?length(true) == 3]", true),
      ("$[?match(@.a)]", false), ("$[?match(@.a, 'b', 'c')]", false), ("$[?length() == 1]", false),
    ])
  func wellTyped(path: String, isWellTyped: Bool) {
    #expect(((try? JSONPath(path)) != nil) == isWellTyped)
  }

  @Test(
    "§2.5.1.3: the examples of child segments select the expected values",
    arguments: [("$[0, 3]", #"["a","d"]"#), ("$[0:2, 5]", #"["a","b","f"]"#), ("$[0, 0]", #"["a","a"]"#)])
  func childSegments(path: String, values: String) throws {
    try check(#"["a","b","c","d","e","f","g"]"#, path, values)
  }

  @Test(
    "§2.5.2.3: the examples of descendant segments select the expected values",
    arguments: [
      ("$..j", "[1,4]", ["$['o']['j']", "$['a'][2][0]['j']"]), ("$..[0]", #"[5,{"j":4}]"#, ["$['a'][0]", "$['a'][2][0]"]),
      ("$..o", #"[{"j":1,"k":2}]"#, ["$['o']"]),
      ("$.o..[*, *]", "[1,2,1,2]", ["$['o']['j']", "$['o']['k']", "$['o']['j']", "$['o']['k']"]),
      ("$.a..[0, 1]", #"[5,3,{"j":4},{"k":6}]"#, ["$['a'][0]", "$['a'][1]", "$['a'][2][0]", "$['a'][2][1]"]),
      ("$..[*]", #"[{"j":1,"k":2},[5,3,[{"j":4},{"k":6}]],1,2,5,3,[{"j":4},{"k":6}],{"j":4},{"k":6},4,6]"#, nil),
    ] as [(String, String, [String]?)])
  func descendants(path: String, values: String, paths: [String]?) throws {
    try check(#"{"o":{"j":1,"k":2},"a":[5,3,[{"j":4},{"k":6}]]}"#, path, values, paths)
  }

  @Test(
    "§2.6: the examples with null select the expected values",
    arguments: [
      ("$.a", "[null]"), ("$.a[0]", "[]"), ("$.a.d", "[]"), ("$.b[0]", "[null]"), ("$.b[*]", "[null]"), ("$.b[?@]", "[null]"),
      ("$.b[?@==null]", "[null]"), ("$.c[?@.d==null]", "[]"), ("$.null", "[1]"),
    ])
  func null(path: String, values: String) throws {
    try check(#"{"a":null,"b":[null],"c":[{}],"null":1}"#, path, values)
  }

  @Test(
    "§2.7: a selected value has the expected normalized path",
    arguments: [
      ("$.a", #"{"a":1}"#, "$['a']"), ("$[1]", "[0,1]", "$[1]"), ("$[-3]", "[0,1,2,3]", "$[1]"),
      ("$.a.b[1:2]", #"{"a":{"b":[0,1]}}"#, "$['a']['b'][1]"), (#"$["\u000B"]"#, #"{"\u000b":1}"#, #"$['\u000b']"#),
      (#"$["\u0061"]"#, #"{"a":1}"#, "$['a']"),
      (#"$["\b\t\n\f\r'\\\"/"]"#, #"{"\b\t\n\f\r'\\\"/":1}"#, #"$['\b\t\n\f\r\'\\"/']"#),
      ("$['é😀\u{7F}']", "{\"é😀\u{7F}\":1}", "$['é😀\u{7F}']"),
    ])
  func normalized(path: String, document: String, normalized: String) throws {
    try check(document, path, "[1]", [normalized])
  }
}
