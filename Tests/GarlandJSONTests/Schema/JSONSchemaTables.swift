/// A schema, the values that are valid for it, and the values that are invalid for it.
typealias JSONSchemaRow = (schema: String, valid: [String], invalid: [String])

/// A format, the texts that have the format, and the texts that do not.
typealias JSONFormatRow = (format: String, valid: [String], invalid: [String])

enum JSONSchemaTables {
  static let inBothDrafts: [JSONSchemaRow] = [
    ("true", ["1", "null"], []), ("false", [], ["1", "null"]), ("{}", ["1", "{}"], []),
    (##"{"type":"integer"}"##, ["1", "1.0", "-0", "1e3", "12345678901234567890"], ["1.5", "\"1\"", "null", "true"]),
    (##"{"type":"number"}"##, ["1", "1.5"], ["\"1\"", "true"]), (##"{"type":"string"}"##, ["\"\""], ["1"]),
    (##"{"type":"boolean"}"##, ["true", "false"], ["0", "null", "\"\""]), (##"{"type":"null"}"##, ["null"], ["0", "false"]),
    (##"{"type":"array"}"##, ["[]"], ["{}"]), (##"{"type":"object"}"##, ["{}"], ["[]"]),
    (##"{"type":["integer","string"]}"##, ["1", "\"a\""], ["1.5", "{}"]),
    (##"{"enum":[1,"a",{"x":[true]},null]}"##, ["1.0", "\"a\"", ##"{"x":[true]}"##, "null"], ["2", "true", "{}", ##"{"x":[1]}"##]),
    (##"{"enum":[false]}"##, ["false"], ["0", "[false]"]), (##"{"enum":["é"]}"##, ["\"\u{E9}\""], ["\"e\u{301}\""]),
    (##"{"const":{"a":1,"b":2}}"##, [##"{"b":2.0,"a":1}"##], [##"{"a":1}"##, "1"]), (##"{"const":0}"##, ["0", "-0.0"], ["false", "\"\""]),
    (##"{"multipleOf":0.01}"##, ["19.99", "4.02", "0", "\"a\""], ["0.001", "4.019"]),
    (##"{"multipleOf":1e-8}"##, ["12391239123"], ["1e-9"]), (##"{"multipleOf":3}"##, ["9", "3e400"], ["10"]),
    (##"{"maximum":3}"##, ["3", "2.9", "\"x\""], ["3.0000000000000000001"]),
    (##"{"exclusiveMaximum":3}"##, ["2.99999999999999999999"], ["3.0"]), (##"{"minimum":-2}"##, ["-2.0", "0"], ["-2.0001"]),
    (##"{"exclusiveMinimum":1.1}"##, ["1.2"], ["1.1", "1"]),
    (##"{"maximum":18446744073709551615}"##, ["18446744073709551600"], ["18446744073709551616"]),
    (##"{"minLength":2}"##, ["\"ab\"", "1"], ["\"a\"", "\"😀\""]), (##"{"maxLength":2.0}"##, ["\"ab\"", "\"😀😀\""], ["\"abc\""]),
    (##"{"pattern":"^a*$"}"##, ["\"aaa\"", "1", "\"\""], ["\"ab\""]), (##"{"pattern":"b"}"##, ["\"abc\""], ["\"ac\""]),
    (##"{"pattern":"^\\p{Letter}+$"}"##, ["\"é\""], ["\"1\""]),
    (##"{"minItems":1}"##, ["[1]", "{}"], ["[]"]), (##"{"maxItems":1}"##, ["[1]", "{}"], ["[1,2]"]),
    (
      ##"{"uniqueItems":true}"##, ["[1,2]", "[1,true]", "[0,false]", ##"[{"a":1},{"a":2}]"##, ##"["1",1]"##],
      ["[1,1.0]", ##"[{"a":1,"b":2},{"b":2,"a":1}]"##, "[[1],[1]]", "[null,null]"]
    ), (##"{"uniqueItems":false}"##, ["[1,1]"], []),
    (##"{"items":{"type":"integer"}}"##, ["[1,2]", "[]", ##"{"0":"x"}"##], ["[1,\"x\"]"]), (##"{"items":false}"##, ["[]"], ["[1]"]),
    (##"{"contains":{"minimum":5}}"##, ["[1,5]", "{}"], ["[1]", "[]"]), (##"{"contains":true}"##, ["[1]"], ["[]"]),
    (##"{"minProperties":1}"##, [##"{"a":1}"##, "[]"], ["{}"]), (##"{"maxProperties":1}"##, [##"{"a":1}"##], [##"{"a":1,"b":2}"##]),
    (##"{"required":["a","__proto__"]}"##, [##"{"a":1,"__proto__":2}"##, "[]"], [##"{"a":1}"##, "{}"]), (##"{"required":[]}"##, ["{}"], []),
    (
      ##"{"properties":{"a":{"type":"integer"},"b":false}}"##, [##"{"a":1}"##, "{}", "[]", ##"{"c":1}"##], [##"{"a":"x"}"##, ##"{"b":1}"##]
    ), (##"{"properties":{"$ref":{"type":"string"}}}"##, [##"{"$ref":"a"}"##], [##"{"$ref":2}"##]),
    (
      ##"{"patternProperties":{"f.*o":{"type":"integer"},"X_":false}}"##, [##"{"foo":1,"bar":"x"}"##],
      [##"{"foooo":"x"}"##, ##"{"aX_":1}"##]
    ),
    (
      ##"{"properties":{"a":{}},"patternProperties":{"^v":{}},"additionalProperties":false}"##, [##"{"a":1,"vroom":2}"##, "[]"],
      [##"{"a":1,"x":2}"##]
    ), (##"{"additionalProperties":{"type":"boolean"}}"##, [##"{"a":true}"##], [##"{"a":1}"##]),
    (##"{"allOf":[{"properties":{"a":{}}}],"additionalProperties":{"type":"boolean"}}"##, [##"{"a":true}"##], [##"{"a":1}"##]),
    (##"{"propertyNames":{"maxLength":3}}"##, [##"{"abc":1}"##, "[]"], [##"{"abcd":1}"##]),
    (##"{"propertyNames":false}"##, ["{}"], [##"{"a":1}"##]),
    (##"{"dependencies":{"a":["b","c"]}}"##, [##"{"a":1,"b":2,"c":3}"##, "{}", "[]", ##"{"b":1}"##], [##"{"a":1,"b":2}"##]),
    (##"{"dependencies":{"a":{"minProperties":2},"b":false}}"##, [##"{"a":1,"c":2}"##], [##"{"a":1}"##, ##"{"b":1,"c":2}"##]),
    (##"{"allOf":[{"minimum":1},{"maximum":3}]}"##, ["2"], ["0", "4"]),
    (##"{"anyOf":[{"type":"integer"},{"minimum":2}]}"##, ["1", "2.5", "3"], ["1.5"]),
    (##"{"oneOf":[{"type":"integer"},{"minimum":2}]}"##, ["1", "2.5"], ["3", "1.5"]), (##"{"oneOf":[true,true]}"##, [], ["1"]),
    (##"{"not":{"type":"integer"}}"##, ["\"a\""], ["1"]), (##"{"not":{"not":{"type":"integer"}}}"##, ["1"], ["\"a\""]),
    (##"{"not":{}}"##, [], ["1"]),
    (##"{"if":{"exclusiveMaximum":0},"then":{"minimum":-10},"else":{"multipleOf":2}}"##, ["-1", "4"], ["-100", "3"]),
    (##"{"if":{"const":0}}"##, ["0", "1"], []), (##"{"then":{"const":0},"else":{"const":1}}"##, ["5"], []),
    (##"{"if":false,"then":false}"##, ["1"], []),
    (##"{"properties":{"foo":{"$ref":"#"}},"additionalProperties":false}"##, [##"{"foo":{"foo":false}}"##], [##"{"foo":{"bar":1}}"##]),
    (
      ##"{"definitions":{"a/b":{"type":"integer"},"c%d":{"type":"string"}},"properties":{"x":{"$ref":"#/definitions/a~1b"},"y":{"$ref":"#/definitions/c%25d"}}}"##,
      [##"{"x":1,"y":"a"}"##], [##"{"x":"a"}"##, ##"{"y":1}"##]
    ),
    (##"{"definitions":{"a":{"type":"integer"},"b":{"$ref":"#/definitions/a"}},"allOf":[{"$ref":"#/definitions/b"}]}"##, ["1"], ["\"a\""]),
    (##"{"properties":{"a":{"x-own":{"type":"string"}},"b":{"$ref":"#/properties/a/x-own"}}}"##, [##"{"b":"s"}"##], [##"{"b":1}"##]),
    (
      ##"{"$id":"http://localhost/root.json","definitions":{"a":{"$id":"a.json","type":"integer"},"b":{"$id":"sub/","definitions":{"c":{"$id":"c.json","type":"string"}}}},"properties":{"x":{"$ref":"a.json"},"y":{"$ref":"http://localhost/sub/c.json"}}}"##,
      [##"{"x":1,"y":"s"}"##], [##"{"x":"s"}"##, ##"{"y":1}"##]
    ),
    (
      ##"{"const":{"$id":"http://localhost/x"},"format":"no such format","unknown":{"type":7}}"##, [##"{"$id":"http://localhost/x"}"##],
      ["1"]
    ), (##"{"enum":[{"$ref":"#/nowhere"}]}"##, [##"{"$ref":"#/nowhere"}"##], []),
  ]

  static let in2020: [JSONSchemaRow] = [
    (##"{"prefixItems":[{"type":"integer"},{"type":"string"}]}"##, ["[1,\"a\",null]", "[1]", "[]", "{}"], ["[\"a\",1]"]),
    (##"{"prefixItems":[{}],"items":{"type":"integer"}}"##, ["[\"a\",1]"], ["[\"a\",\"b\"]"]),
    (##"{"prefixItems":[{},{}],"items":false}"##, ["[1,2]"], ["[1,2,3]"]),
    (##"{"items":{"type":"integer"},"additionalItems":false}"##, ["[1,2,3]"], ["[\"a\"]"]),
    (##"{"contains":{"const":1},"minContains":2,"maxContains":3}"##, ["[1,1]", "[1,2,1,1]"], ["[1]", "[1,1,1,1]", "[]"]),
    (##"{"contains":{"const":1},"minContains":0}"##, ["[]", "[2]"], []), (##"{"minContains":5,"maxContains":1}"##, ["[1,2]"], []),
    (##"{"contains":{"const":1},"maxContains":1,"minContains":3}"##, [], ["[1]", "[1,1,1]"]),
    (##"{"dependentRequired":{"a":["b"]}}"##, [##"{"a":1,"b":2}"##, "[]"], [##"{"a":1}"##]),
    (
      ##"{"dependentSchemas":{"a":{"properties":{"b":{"type":"integer"}}},"c":false}}"##, [##"{"a":1,"b":2}"##, ##"{"b":"x"}"##],
      [##"{"a":1,"b":"x"}"##, ##"{"c":1}"##]
    ),
    (##"{"$ref":"#/$defs/a","maximum":3,"$defs":{"a":{"minimum":1}}}"##, ["2"], ["0", "4"]),
    (##"{"$ref":"#x","$defs":{"a":{"$anchor":"x","type":"integer"}}}"##, ["1"], ["\"a\""]),
    (
      ##"{"$defs":{"a":{"$id":"http://localhost/nested.json","$defs":{"b":{"$anchor":"x","type":"integer"}}}},"$ref":"http://localhost/nested.json#x"}"##,
      ["1"], ["\"a\""]
    ),
    (
      ##"{"$id":"urn:uuid:deadbeef-1234-ffff-ffff-4321feebdaed","minProperties":1,"properties":{"a":{"$ref":"urn:uuid:deadbeef-1234-ffff-ffff-4321feebdaed"}}}"##,
      [##"{"a":{"a":1}}"##], [##"{"a":{}}"##]
    ),
    // A schema that extends a recursive one by a dynamic anchor extends all its levels.
    (
      ##"{"$id":"http://localhost/strict","$dynamicAnchor":"node","$ref":"tree","unevaluatedProperties":false,"$defs":{"t":{"$id":"tree","$dynamicAnchor":"node","type":"object","properties":{"data":true,"children":{"type":"array","items":{"$dynamicRef":"#node"}}}}}}"##,
      [##"{"children":[{"data":1}]}"##], [##"{"children":[{"daat":1}]}"##]
    ),
    (
      ##"{"$id":"http://localhost/t","$ref":"list","$defs":{"foo":{"$dynamicAnchor":"items","type":"string"},"list":{"$id":"list","type":"array","items":{"$dynamicRef":"#items"},"$defs":{"items":{"$dynamicAnchor":"items"}}}}}"##,
      [##"["a"]"##], ["[1]"]
    ),
    (
      ##"{"$id":"http://localhost/u","$ref":"list","$defs":{"foo":{"$dynamicAnchor":"items","type":"string"},"list":{"$id":"list","type":"array","items":{"$dynamicRef":"#items"},"$defs":{"items":{"$anchor":"items"}}}}}"##,
      [##"["a",1]"##], []
    ),
    (##"{"properties":{"a":{}},"unevaluatedProperties":false}"##, [##"{"a":1}"##, "[]"], [##"{"b":1}"##]),
    (
      ##"{"allOf":[{"properties":{"a":{}}},{"patternProperties":{"^b":{}}}],"unevaluatedProperties":false}"##, [##"{"a":1,"bb":2}"##],
      [##"{"c":1}"##]
    ),
    (
      ##"{"anyOf":[{"properties":{"a":{"const":1}},"required":["a"]},{"properties":{"b":{"const":2}},"required":["b"]}],"unevaluatedProperties":false}"##,
      [##"{"a":1}"##, ##"{"a":1,"b":2}"##], [##"{"a":1,"b":3}"##, ##"{"a":1,"c":3}"##]
    ),
    (
      ##"{"if":{"properties":{"a":{"const":1}},"required":["a"]},"then":{"properties":{"b":{}}},"else":{"properties":{"c":{}}},"unevaluatedProperties":false}"##,
      [##"{"a":1,"b":2}"##, ##"{"c":1}"##], [##"{"a":1,"c":2}"##, ##"{"a":2,"c":1}"##]
    ),
    (##"{"not":{"not":{"properties":{"a":{}}}},"unevaluatedProperties":false}"##, ["{}"], [##"{"a":1}"##]),
    (##"{"dependentSchemas":{"a":{"properties":{"a":{},"b":{}}}},"unevaluatedProperties":false}"##, [##"{"a":1,"b":2}"##], [##"{"b":2}"##]),
    (##"{"additionalProperties":true,"unevaluatedProperties":false}"##, [##"{"b":1}"##], []),
    (##"{"properties":{"a":{}},"unevaluatedProperties":{"type":"string"}}"##, [##"{"a":1,"b":"x"}"##], [##"{"b":1}"##]),
    (##"{"properties":{"a":{"properties":{"b":{}},"unevaluatedProperties":false}}}"##, [##"{"a":{"b":1},"c":2}"##], [##"{"a":{"c":1}}"##]),
    (##"{"unevaluatedProperties":false,"$ref":"#/$defs/x","$defs":{"x":{"properties":{"a":{}}}}}"##, [##"{"a":1}"##], [##"{"b":1}"##]),
    (##"{"allOf":[{"properties":{"a":{}},"unevaluatedProperties":true}],"unevaluatedProperties":false}"##, [##"{"a":1,"b":2}"##], []),
    (##"{"properties":{"a":{}},"allOf":[{"unevaluatedProperties":false}]}"##, ["{}"], [##"{"a":1}"##]),
    (##"{"prefixItems":[{}],"unevaluatedItems":false}"##, ["[1]", "{}"], ["[1,2]"]),
    (##"{"contains":{"type":"string"},"unevaluatedItems":{"type":"integer"}}"##, [##"["a",1]"##], [##"["a",null]"##]),
    (##"{"allOf":[{"prefixItems":[{}]},{"prefixItems":[{},{}]}],"unevaluatedItems":false}"##, ["[1,2]"], ["[1,2,3]"]),
    (##"{"items":{},"unevaluatedItems":false}"##, ["[1,2]"], []),
    (
      ##"{"anyOf":[{"prefixItems":[{"const":1},{}]},{"prefixItems":[{"const":1}]}],"unevaluatedItems":false}"##, ["[1,2]", "[1]"],
      ["[2]", "[1,2,3]"]
    ),
    (
      ##"{"$schema":"http://json-schema.org/draft-07/schema#","items":[{"type":"integer"}],"additionalItems":false}"##, ["[1]"],
      ["[\"a\"]", "[1,2]"]
    ),
  ]

  static let in7: [JSONSchemaRow] = [
    (##"{"items":[{"type":"integer"},{"type":"string"}]}"##, ["[1,\"a\",null]", "[1]"], ["[\"a\"]"]),
    (##"{"items":[{}],"additionalItems":{"type":"integer"}}"##, ["[null,1]"], ["[null,\"a\"]"]),
    (##"{"additionalItems":false}"##, ["[1,2]"], []), (##"{"items":{},"additionalItems":false}"##, ["[1,2]"], []),
    (
      ##"{"definitions":{"a":{"minimum":1}},"properties":{"x":{"$ref":"#/definitions/a","maximum":3}}}"##, [##"{"x":100}"##],
      [##"{"x":0}"##]
    ), (##"{"definitions":{"a":{"$id":"#foo","type":"integer"}},"allOf":[{"$ref":"#foo"}]}"##, ["1"], ["\"a\""]),
    (##"{"$ref":"#/definitions/a","definitions":{"a":{"type":"integer"}},"type":"string"}"##, ["1"], ["\"a\""]),
    (
      ##"{"prefixItems":[false],"unevaluatedProperties":false,"unevaluatedItems":false,"dependentRequired":{"a":["b"]},"minContains":3}"##,
      ["[1]", ##"{"a":1}"##], []
    ),
    (
      ##"{"$id":"http://localhost/base/","definitions":{"foo":{"$id":"foo.json","type":"integer"},"other":{"$id":"http://localhost/sibling/foo.json","type":"string"}},"allOf":[{"$id":"http://localhost/sibling/","$ref":"foo.json"}]}"##,
      ["1"], ["\"a\""]
    ),
    (##"{"$schema":"https://json-schema.org/draft/2020-12/schema","prefixItems":[{"type":"integer"}]}"##, ["[1]"], ["[\"a\"]"]),
  ]

  static let formats: [JSONFormatRow] = [
    (
      "date-time", ["2024-02-29T12:00:00Z", "1990-12-31t23:59:60.5z", "1990-12-31T15:59:60-08:00", "2024-01-01T00:00:00.123+14:00"],
      [
        "2023-02-29T12:00:00Z", "2024-01-01", "2024-01-01T24:00:00Z", "2024-01-01T00:00:00", "2024-01-01 00:00:00Z", "1998-12-31T22:59:60Z",
        "2024-13-01T00:00:00Z", "٢024-01-01T00:00:00Z", "2024-01-01T00:00:00.Z",
      ]
    ),
    ("date", ["2024-02-29", "2000-02-29"], ["1900-02-29", "2024-2-1", "24-01-01", "2024-00-01", "2024-01-32", "2024-01-01Z", ""]),
    (
      "time", ["08:30:06Z", "08:30:06.28+01:30", "23:59:60Z", "01:29:60+01:30"],
      ["08:30", "08:30:06", "24:00:00Z", "08:60:06Z", "22:59:60Z", "08:30:06+24:00", "08:30:06 Z"]
    ),
    (
      "duration", ["P4DT12H30M5S", "P4Y", "PT0S", "P1M", "PT1M", "P2W", "P1Y2M3D"],
      ["P", "PT", "P1", "4D", "P1D2H", "P2S", "P1Y1D", "P1YT", "PT1D", "P1W2D", "P-1D", "P1.5D"]
    ),
    (
      "email", ["joe@example.com", "a.b+c@x", "\"joe bloggs\"@example.com", "joe@[127.0.0.1]", "joe@[IPv6:::1]", "te~st@example.com"],
      ["joe", ".a@x.com", "a.@x.com", "a..b@x.com", "joe@", "@x", "joe@exa mple.com", "é@x.com", "joe@[300.0.0.1]"]
    ),
    ("idn-email", ["실례@실례.테스트", "a@b.c"], ["a", "@실"]),
    (
      "hostname", ["www.example.com", "xn--4gbwdl.xn--wgbh1c", "a", "1host", "a-b.c"],
      ["-a.com", "a-.com", "a_b", "", "a..b", "xn--", "ab--c", "é.com", ".", "example."]
    ),
    (
      "idn-hostname", ["www.example.com", "bücher.example", "실례.테스트", "xn--bcher-kva", "例え。テスト"],
      ["Bücher", "☃.com", "-ü", "ab--ü", "xn--X", "", "ü..ü", "_ü"]
    ),
    (
      "ipv4", ["192.168.0.1", "0.0.0.0", "255.255.255.255"],
      ["256.0.0.1", "1.2.3", "1.2.3.4.5", "01.2.3.4", "0x7f.1.1.1", "1.2.3.4/8", "", "1.2.3.٤"]
    ),
    (
      "ipv6", ["::1", "::", "1:2:3:4:5:6:7:8", "::ffff:192.168.0.1", "1::8", "::42:ff:1", "d6::", "1:2::192.168.0.1"],
      [
        "12345::", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "::1::2", ":2:3:4:5:6:7:8", "1:2:3:4:5:6:7:", "fe80::a%eth1", "::g", "1:1.2.3.4",
        "::1.2.3.400", "",
      ]
    ),
    (
      "uri",
      [
        "http://foo.bar/?baz=qux#quux", "urn:oasis:names", "mailto:a@b.c", "http://[::1]:80/", "http://a/%20", "tel:+1-816",
        "ldap://[2001:db8::7]/c=GB?o?x", "http://u:p@h:1/",
      ],
      [
        "/abc", "\\\\WINDOWS", "abc", "http:// a", "http://a/<b>", "http://[::1", "http://a:b/", "http://a/%2", "http://é", ":// x",
        "bar,baz:x y", "",
      ]
    ),
    ("uri-reference", ["/abc", "", "#a", "?x", "//h/p", "abc", "a/b:c", "http://a"], ["\\\\WINDOWS", "#a\\b", "a b", "é", "1a:b"]),
    ("iri", ["http://ƒøø.ßår/?∂éœ=πîx#πîüx"], ["/abc", "http://2001:0db8:85a3::8a2e:0370:7334", "âππ"]),
    ("iri-reference", ["âππ", "/é"], ["\\\\é", "a b"]),
    (
      "uri-template", ["http://e.com/{term:1}/{term}", "a", "{+x,y*}", "{?q}", ""],
      ["http://e.com/{term", "{", "}", "{}", "{a b}", "{a:0}", "a b", "{a:10000}"]
    ),
    (
      "uuid", ["2EB8AA08-aa98-11ea-b4aa-73b441d16380", "00000000-0000-0000-0000-000000000000"],
      [
        "2eb8aa08-aa98-11ea-b4aa-73b441d1638", "2eb8aa08aa9811eab4aa73b441d16380", "2eb8aa08-aa98-11ea-b4ga-73b441d16380",
        "2eb8-aa08-aa98-11ea-b4aa73b44-1d16380",
      ]
    ),
    ("json-pointer", ["", "/a/b~0~1", "/"], ["a", "/~", "/~2", "#"]),
    ("relative-json-pointer", ["1", "0/a", "2#", "10/x/0"], ["", "/a", "-1/a", "01/a", "0##", "+1", "a"]),
    ("regex", ["^[a-z]+$", "(?<a>b)", ""], ["^(abc]", "\\Z", "(?i)a", "*"]),
  ]
}
