import GarlandJSON

// Reads 3 MB of JSON and finds one path in it: by parsing all of it, and in the bytes, where nothing is built that was not asked for. In MB/s.

var text = "{\"books\":["
for id in 0..<24_000 {
  text += id == 0 ? "" : ","
  text +=
    "{\"id\":\(id),\"title\":\"Book number \(id)\",\"price\":\(id).5,\"tags\":[\"a\",\"b\\n\"],\"author\":{\"name\":\"Nobody\",\"born\":1900},\"ok\":true}"
}
text += "],\"total\":24000}"
let bytes = Array(text.utf8)
let path = try JSONPath("$.books[23999].title")
let extractor = JSONExtractor(paths: [[.name("books"), .index(23_999), .name("title")]])
let expected = JSONValue.string("Book number 23999")

func speed(_ find: () throws -> JSONValue?) throws -> Double {
  var best = Double.infinity
  for _ in 0..<9 {
    let clock = ContinuousClock()
    var found: JSONValue?
    let time = try clock.measure { found = try find() }
    precondition(found == expected, "another value was found")
    let (seconds, attoseconds) = time.components
    best = min(best, Double(seconds) + Double(attoseconds) / 1e18)
  }
  return Double(bytes.count) / best / 1e6
}

let parsing = try speed { try path.values(in: JSONValue(parsing: bytes)).first }
let finding = try speed { try extractor.values(in: bytes)[0] }
print("{\"bytes\": \(bytes.count), \"parse_and_find\": \(parsing), \"find_only\": \(finding)}")
