import GarlandJSON
import Testing

/// Tests valid and invalid paths, like the compliance test suite of JSONPath.
@Suite("JSONPath: syntax")
struct JSONPathSyntaxTests {
  @Test(
    "valid JSONPaths are accepted",
    arguments: [
      // Names
      "$.a", "$._a1", "$.é", "$.☺", "$.a.b", "$.true", "$.null", "$['a']", #"$["a"]"#, "$['']", "$['a','b']", "$['a' , 'b']", #"$['\'']"#,
      #"$["\""]"#, #"$['"']"#, #"$["'"]"#, #"$['\\']"#, #"$['\/']"#, #"$['\b\f\n\r\t']"#, #"$['\u0041']"#,
      #"$['\uD83D\uDE00']"#, #"$['\uDBFF\uDFFF']"#, #"$['\uABCD\uabcd']"#, "$['\u{7F}']", "$['😀']", #"$['$.*a']"#, "$['\u{2028}']",
      "$.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa9",
      // Wildcards, indexes, slices
      "$.*", "$[*]", "$[*,*]", "$..*", "$..[*]", "$[0]", "$[-1]", "$[9007199254740991]", "$[-9007199254740991]", "$[:]", "$[::]", "$[1:]",
      "$[:1]", "$[1:2:3]", "$[::-1]", "$[-1:-2:-3]", "$[0:0:0]", "$[1:2,3]", "$[ 1 : 2 : 3 ]", "$[1 :2 ]",
      "$[\t1\n:\r2]", "$[: :]", "$[:: 2]",
      // White space between segments and within brackets
      "$ .a", "$\n.a", "$\t['a']", "$.a .b", "$.a\r\n[0]", "$[ 'a' ]", "$[ 'a'\n,\t'b' ]", "$ ..a", "$..['a']", "$[ * ]", "$[ ? @.a ]",
      "$[?\n@.a]",
      // Filters
      "$[?@]", "$[?$]", "$[?@.a]", "$[?!@.a]", "$[?! @.a]", "$[?(@.a)]", "$[?!(@.a)]", "$[?((@.a))]", "$[?@.a&&@.b]", "$[?@.a||@.b&&@.c]",
      "$[?@.a == 1]", "$[?@.a==1]", "$[?1==@.a]", "$[?'a'=='b']", "$[?@.a==$.b]", "$[?@['a']==1]",
      "$[?@[0]==1]", "$[?@[-1]==1]", "$[?@.a .b==1]", "$[?@.a==-1.5e+3]", "$[?@.a==0.1]", "$[?@.a==-0]", "$[?@.a==1E2]", "$[?@.a==true]",
      "$[?@.a==null]", "$[?@.a>=1 , 0]", "$[?@.a,?@.b]", "$[?@[?@.b]]", "$[?@[?@.b==1].c]", "$[?$..a]", "$[?@.*]",
      "$[?@[0:1]]", "$[?@..a]", "$[?@['a','b']]", "$[?@.a=='\\'']", "$[?(@.a||@.b)&&@.c]", "$[?!(@.a==1)&&!@.b]", "$[?@.a<'b']",
      "$[?true==false]", "$[?@.a != @.b]",
      // Functions
      "$[?length(@.a)==1]", "$[?length( @.a )==1]", "$[?count(@..*)>2]", "$[?match(@.a,'b')]", "$[?!match(@.a, 'b')]",
      "$[?search( @.a , 'b' )]", "$[?value(@.*)==1]", "$[?length(length(@))==1]", "$[?match(value(@..a),'b')]", "$[?length($)==1]",
      "$[?match(@.a, @.b)]", "$[?count(@)==1 && length(@)==2]", "$[?length(value(@[?@.a==1]))>1]", "$[?match(@.a,'')]",
    ])
  func valid(text: String) throws {
    #expect(throws: Never.self) { try JSONPath(text) }
  }

  /// The columns are the text, the range of its mistake, and a part of the message.
  @Test(
    "an invalid path is refused with the location of the error and advice",
    arguments: [
      ("", 0..<0, "empty"), (" $", 0..<1, "white space"), ("$ ", 1..<2, "white space"), ("$.a\n", 3..<4, "white space"),
      ("a", 0..<1, "$.a"), (".a", 0..<1, "$.a"), ("@.a", 0..<1, "filter"), ("/a/b", 0..<1, "Pointer"), ("$.", 2..<2, "missing"),
      ("$..", 3..<3, "missing"), ("$...a", 3..<4, "two dots"), ("$. a", 2..<3, "name"), ("$.. a", 3..<4, "name"), ("$.1", 2..<3, "[1]"),
      ("$.'a'", 2..<3, "brackets"), ("$.[0]", 2..<3, "leave the '.' out"), ("$a", 1..<2, "'.'"), ("$.a-b", 3..<4, "['a-b']"),
      ("$.foo.bar:baz", 9..<10, "['bar:baz']"), ("$.a b", 4..<5, "'.'"), ("$.&", 2..<3, "name"), ("$.a.length()", 4..<10, "filter"),
      ("$[", 2..<2, "missing"), ("$[]", 1..<3, "[*]"), ("$[0", 1..<2, "']'"), ("$[0,]", 4..<5, "missing"), ("$[,0]", 2..<3, "selector"),
      ("$[a]", 2..<3, "['a']"), ("$[foo.bar]", 2..<5, "['foo']"), ("$['a'", 1..<2, "']'"), ("$['a", 2..<4, "closed"),
      ("$[\"a]", 2..<5, "closed"), ("$['a''b']", 5..<6, "','"), ("$[1.5]", 3..<4, "decimal"), ("$[01]", 2..<4, "write 1"),
      ("$[-0]", 2..<4, "write 0"),
      ("$[-01]", 2..<5, "write -1"), ("$[00]", 2..<4, "write 0"), ("$[-]", 2..<3, "missing"), ("$[+1]", 2..<3, "selector"),
      ("$[9007199254740992]", 2..<18, "beyond"), ("$[-9007199254740992]", 2..<19, "beyond"), ("$[99999999999999999999]", 2..<22, "beyond"),
      ("$[1:9007199254740992]", 4..<20, "beyond"), ("$[1:2:01]", 6..<8, "write 1"), ("$[-0:]", 2..<4, "write 0"),
      ("$[1:2:3:4]", 7..<8, "','"), ("$[1 2]", 4..<5, "','"), ("$[:1 2]", 5..<6, "','"), ("$[1:a]", 4..<5, "','"),
      ("$[(@.length-1)]", 2..<3, "script"),
      ("$[@.a]", 2..<3, "'?'"), ("$.**", 3..<4, "'.'"), ("$[**]", 3..<4, "','"),
      // Strings
      ("$['\u{1}']", 3..<4, "escape"), ("$['\n']", 3..<4, "escape"), (#"$['\"']"#, 3..<5, "quotes"), (#"$["\'"]"#, 3..<5, "quotes"),
      (#"$['\a']"#, 3..<5, "not an escape"), (#"$['\u12']"#, 3..<7, "four"), (#"$['\U0041']"#, 3..<5, "not an escape"),
      (#"$['\uD800']"#, 3..<9, "half"),
      (#"$['\uDC00']"#, 3..<9, "half"), (#"$['\uD800\u0041']"#, 3..<15, "half"), (#"$['\uD800x']"#, 3..<9, "half"),
      (#"$['\é']"#, 3..<6, "not an escape"),
      // Filters
      ("$[?]", 3..<4, "value"), ("$[?", 3..<3, "missing"), ("$[?()]", 4..<5, "value"), ("$[?(@.a]", 7..<8, "')'"),
      ("$[?(@.a", 3..<4, "')'"), ("$[?@.a)]", 6..<7, "','"), ("$[?@.a=1]", 6..<7, "'=='"), ("$[?@.a=='b]", 8..<11, "closed"),
      ("$[?@.a=~'b']", 6..<8, "match"),
      ("$[?@.a<>1]", 6..<8, "'!='"), ("$[?@.a and @.b]", 7..<10, "'&&'"), ("$[?@.a or @.b]", 7..<9, "'||'"), ("$[?not @.a]", 3..<6, "'!'"),
      ("$[?@.a&@.b]", 6..<7, "'&&'"), ("$[?@.a|@.b]", 6..<7, "'||'"), ("$[?@.a in [1]]", 7..<9, "'in'"), ("$[?@.a&&]", 8..<9, "value"),
      ("$[?||@.a]", 3..<4, "value"), ("$[?@.a==]", 8..<9, "value"), ("$[?==1]", 3..<4, "value"), ("$[?1]", 3..<4, "condition"),
      ("$[?'a']", 3..<6, "condition"), ("$[?true]", 3..<7, "condition"), ("$[?@.a||true]", 8..<12, "condition"),
      ("$[?!1]", 4..<5, "condition"),
      ("$[?!@.a==1]", 3..<4, "parentheses"), ("$[?!!@.a]", 4..<5, "only one"), ("$[?@.a==1==2]", 9..<10, "chained"),
      ("$[?(@.a)==1]", 3..<8, "compared"), ("$[?@.*==1]", 3..<6, "many nodes"), ("$[?1==@..a]", 6..<10, "many nodes"),
      ("$[?@[0:1]==1]", 3..<9, "value("),
      ("$[?@['a','b']==1]", 3..<13, "many"), ("$[?@.a==[1]]", 8..<9, "list"), ("$[?@.a=={}]", 8..<9, "list"),
      ("$[?@.a==abc]", 8..<11, "quotes"), ("$[?@.a==True]", 8..<12, "write true"), ("$[?@.a==01]", 8..<10, "number"),
      ("$[?@.a==1.]", 8..<10, "number"),
      ("$[?@.a==.5]", 8..<9, "value"), ("$[?@.a==+1]", 8..<9, "value"), ("$[?@.a==1e]", 8..<10, "number"),
      ("$[?@.a==/x/]", 8..<9, "slashes"), ("$[?@.a\u{B}==1]", 6..<7, "','"), ("$[?a.b==1]", 3..<4, "@.a"),
      ("$[? @.a == 'x' 'y']", 15..<16, "','"),
      // Functions
      ("$[?foo(@)]", 3..<6, "no function"), ("$[?lenght(@)==1]", 3..<9, "length"), ("$[?Length(@)==1]", 3..<9, "length"),
      ("$[?length (@)==1]", 3..<9, "follow its name directly"), ("$[?length(@)]", 3..<12, "compare"),
      ("$[?match(@.a,'b')==true]", 3..<17, "is a condition"),
      ("$[?length(@.a,1)==1]", 3..<16, "one argument"), ("$[?match(@.a)]", 3..<13, "2 arguments"),
      ("$[?length(@.*)==1]", 10..<13, "many nodes"), ("$[?count(1)==1]", 9..<10, "query"), ("$[?count('a')==1]", 9..<12, "query"),
      ("$[?length(@.a==1)]", 10..<13, "no condition"),
      ("$[?match(@.a,'[')]", 14..<15, "I-Regexp"), ("$[?match(@.a,'\\\\d')]", 13..<18, "[0-9]"),
      ("$[?match(@.a,'a(')]", 15..<16, "not closed"), ("$[?length(@.a]", 13..<14, "')'"), ("$[?length(@.a", 3..<13, "')'"),
      ("$[?length(@.a,)==1]", 14..<15, "value"),
    ] as [(String, Range<Int>, String)])
  func invalid(text: String, range: Range<Int>, part: String) {
    let error = #expect(throws: JSONPathError.self) { try JSONPath(text) }
    #expect(error?.range == range, "\(String(describing: error))")
    let words = "\(error?.message ?? "") \(error?.suggestion ?? "")"
    #expect(words.contains(part), "\(text): \(words)")
  }

  @Test(
    "a path is singular only if it consists of single names and indexes",
    arguments: [
      ("$", []), ("$.a", ["a"]), ("$['a'][0].b[-1]", ["a", 0, "b", -1]), ("$.*", nil), ("$..a", nil), ("$[0:1]", nil), ("$[0,1]", nil),
      ("$[?@.a]", nil), ("$.a[*].b", nil),
    ] as [(String, [JSONPathElement]?)])
  func singular(text: String, elements: [JSONPathElement]?) throws {
    let path = try JSONPath(text)
    #expect(path.singularElements == elements)
    #expect(path.isSingular == (elements != nil))
  }

  @Test("a path with excessively nested filters is refused without a crash")
  func nesting() {
    for text in [
      "$[?" + String(repeating: "(", count: 100_000), "$" + String(repeating: "[?@", count: 100_000),
      "$[?" + String(repeating: "length(", count: 100_000),
      "$[?" + String(repeating: "!(", count: 5000) + "@" + String(repeating: ")", count: 5000) + "]",
    ] {
      #expect(throws: JSONPathError.self) { try JSONPath(text) }
    }
    #expect(throws: Never.self) { try JSONPath("$" + String(repeating: "[0]", count: 100_000)) }
  }

  @Test("random texts never crash the parser, and every text that is a valid path can be evaluated", arguments: 0..<20 as Range<UInt64>)
  func random(seed: UInt64) throws {
    var random = RandomJSON(seed: seed)
    let document = random.value()
    let pieces = [
      "$", "@", ".", "..", "[", "]", "(", ")", "?", "*", ":", ",", "'a'", "\"b\"", "a", "é", "0", "-1", "1.5", " ", "==", "<", "&&", "||",
      "!", "length(", "count(", "match(", "value(", "'", "\\", "true", "\u{1}", "😀",
    ]
    for _ in 0..<300 {
      let text =
        "$"
        + (0..<Int.random(in: 0...10, using: &random.generator)).compactMap { _ in pieces.randomElement(using: &random.generator) }.joined()
      do {
        let path = try JSONPath(text)
        let nodes = try path.nodes(in: document, stepLimit: 10_000)
        #expect(try path.values(in: document) == nodes.map(\.value))
        for node in nodes.prefix(20) {
          #expect(try JSONPath(node.location.description).nodes(in: document) == [node])
        }
      } catch let error as JSONPathError {
        #expect(error.range.upperBound <= text.utf8.count)
        // The range never splits a character.
        let utf8 = Array(text.utf8)
        for bound in [error.range.lowerBound, error.range.upperBound] where bound < utf8.count {
          #expect(utf8[bound] & 0xC0 != 0x80, "\(error)")
        }
      } catch is JSONPathEvaluationError {
        continue
      }
    }
  }

  @Test("every node of a random document has a normalized path that selects it", arguments: 0..<30 as Range<UInt64>)
  func normalizedPaths(seed: UInt64) throws {
    var random = RandomJSON(seed: seed)
    let document = random.value()
    for node in try JSONPath("$..*").nodes(in: document) {
      let path = try JSONPath(node.location.description)
      #expect(path.isSingular)
      #expect(try path.nodes(in: document) == [node])
      #expect(document.value(at: node.location.elements) == node.value)
      #expect(try node.location.pointer.value(in: document) == node.value)
      #expect(try JSONBytes(document.jsonBytes()).value(at: node.location.elements) == node.value)
    }
  }

  @Test("evaluation fails when it needs too many steps, but not because a value is deeply nested")
  func limits() throws {
    let wide = JSONValue.array(Array(repeating: JSONValue.array(Array(repeating: 1, count: 100)), count: 100))
    #expect(throws: JSONPathEvaluationError.tooManySteps(limit: 10_000)) { try JSONPath("$..*[?$..*]").nodes(in: wide, stepLimit: 10_000) }
    var deep: JSONValue = 1
    for _ in 0..<3000 { deep = [deep] }
    #expect(try JSONPath("$..*").values(in: deep).count == 3000)
    #expect(try JSONPath("$..[?@[0]]").nodes(in: deep).last?.location.elements.count == 2999)
    let slow: JSONValue = [.string(String(repeating: "a", count: 60) + "!")]
    #expect(throws: JSONPathEvaluationError.self) { try JSONPath("$[?match(@, '(a+)+[bc]')]").values(in: slow) }
  }

  @Test("match() with an invalid pattern from the document matches nothing")
  func documentPatterns() throws {
    let document = try json(#"[{"t":"a1","p":"a[0-9]"},{"t":"a1","p":"a\\d"},{"t":"a1","p":7},{"t":7,"p":"7"}]"#)
    #expect(try JSONPath("$[?match(@.t, @.p)].p").values(in: document) == ["a[0-9]"])
  }
}
