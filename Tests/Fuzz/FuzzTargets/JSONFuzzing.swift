import GarlandJSON

/// Texts, paths and schemas.
enum JSONFuzzing {
  static func textViolation(of input: [UInt8]) -> String? {
    let value: JSONValue
    do { value = try JSONValue(parsing: input) } catch { return error.description.isEmpty ? "an error without words" : nil }
    for options in [JSONPrintingOptions.compact, .pretty, JSONPrintingOptions(sortsKeys: true, escapesNonASCII: true)] {
      let printed = value.jsonBytes(options: options)
      do {
        guard try JSONValue(parsing: printed) == value else { return "printed and read again it is another value" }
      } catch {
        return "what was printed can't be read: \(error)"
      }
    }
    guard JSONDifference.between(expected: value, actual: value).isEmpty else { return "it differs from itself" }
    return nil
  }

  static func pathViolation(of input: [UInt8]) -> String? {
    let (text, rest) = InputSplit.halves(input)
    guard let path = try? JSONPath(text) else { return nil }
    let root = (try? JSONValue(parsing: rest)) ?? sample
    guard let nodes = try? path.nodes(in: root, stepLimit: 200_000) else { return nil }
    guard !path.isSingular || nodes.count <= 1 else { return "a singular query has \(nodes.count) nodes" }
    for node in nodes.prefix(20) {
      let normalized = node.location.description
      guard let again = try? JSONPath(normalized), let values = try? again.values(in: root, stepLimit: 200_000) else {
        return "the normalized path \(normalized) can't be read"
      }
      guard values == [node.value] else { return "the normalized path \(normalized) leads elsewhere" }
    }
    return nil
  }

  static func schemaViolation(of input: [UInt8]) -> String? {
    guard let end = input.firstIndex(of: 0x0A), let schema = try? JSONValue(parsing: Array(input[..<end])) else { return nil }
    let instance = (try? JSONValue(parsing: Array(input[(end + 1)...]))) ?? sample
    for draft in JSONSchema.Draft.allCases {
      let options = JSONSchema.Options(defaultDraft: draft, assertsFormats: true)
      guard let compiled = try? JSONSchema(schema, options: options), let failures = try? compiled.validate(instance) else { continue }
      guard let isValid = try? compiled.isValid(instance), isValid == failures.isEmpty else { return "valid and not valid at once" }
    }
    return nil
  }

  private static let sample: JSONValue = [
    "id": 7, "name": "Dune", "items": [["id": 1, "price": 9.5], ["id": 2, "tags": ["a", "b"]], .null], "empty": [], "flag": true,
  ]
}
