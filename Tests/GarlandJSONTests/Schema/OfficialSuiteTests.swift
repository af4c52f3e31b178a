import FoundationEssentials
import TestSupport
import Testing

@testable import GarlandJSON

/// Runs the [official tests](https://github.com/json-schema-org/JSON-Schema-Test-Suite), which `.ci/schema-suite` fetches if they are
/// missing.
@Suite(.timeLimit(.minutes(15))) struct OfficialSuiteTests {
  @Test(arguments: ["draft2020-12", "draft7"])
  func `each case of the official JSON Schema test suite gives the result that the suite states`(
    draft: String
  ) async throws {
    let suite = OfficialSuite(folder: try await OfficialSuite.fetched.value)
    var counted = 0
    for file in try suite.files(of: draft) {
      for group in try suite.groups(in: file) {
        let assertsFormats = file.contains("/optional/format/") || file.hasSuffix("/ecmascript-regex.json")
        guard let schema = group["schema"].map({ suite.schema($0, of: draft) }) else { continue }
        let title = "\(file.split(separator: "/").last ?? "") \(group["description"]?.stringValue ?? "")"
        let compiled: JSONSchema
        do {
          compiled = try JSONSchema(schema, options: suite.options(draft: draft, assertsFormats: assertsFormats))
        } catch {
          Issue.record("\(draft) \(title): \(error)")
          continue
        }
        for test in group["tests"]?.arrayValue ?? [] {
          counted += 1
          let wanted = test["valid"] == true
          let isValid = try compiled.isValid(test["data"] ?? .null)
          // A check without failure messages and a check with all of them must have the same result.
          let failures = try compiled.validate(test["data"] ?? .null)
          #expect(isValid == wanted && failures.isEmpty == wanted, "\(draft) \(title): \(test["description"]?.stringValue ?? "")")
          for failure in failures { #expect(failure.schemaLocation.contains("#") && !failure.message.isEmpty) }
        }
      }
    }
    #expect(counted > 1000)
  }
}

private struct OfficialSuite {
  struct Missing: Error, CustomStringConvertible {
    let description: String
  }

  /// The folder of the official JSON Schema test suite, which contains `tests` and `remotes`.
  static let fetched = Task { () async throws -> String in
    let result = try await ChildProcess.run("/bin/bash", [Repository.path(".ci/schema-suite")])
    guard result.status == 0 else { throw Missing(description: ".ci/schema-suite: \(result.error)") }
    return Repository.path(".build/schema-suite/json")
  }

  let folder: String

  /// The files that are left out: features of other dialects, and `contentEncoding`, which is only an annotation in this library.
  static let leftOut = ["optional/cross-draft.json", "optional/content.json"]

  func files(of draft: String) throws -> [String] {
    let root = "\(folder)/tests/\(draft)"
    var result: [String] = []
    for sub in ["", "/optional", "/optional/format"] {
      for name in try FileManager.default.contentsOfDirectory(atPath: root + sub).sorted() where name.hasSuffix(".json") {
        if Self.leftOut.contains(where: { "\(sub)/\(name)".hasSuffix("/" + $0) }) { continue }
        result.append("\(root)\(sub)/\(name)")
      }
    }
    return result
  }

  func groups(in file: String) throws -> [JSONValue] {
    let data = try Data(contentsOf: URL(filePath: file))
    return try JSONValue(parsing: Array(data)).arrayValue ?? []
  }

  /// Returns the schema with the `$schema` of its draft, unless the draft is the default one. Files that the schema refers to have no
  /// `$schema`.
  func schema(_ schema: JSONValue, of draft: String) -> JSONValue {
    guard draft == "draft7", case .object(var object) = schema, object["$schema"] == nil else { return schema }
    object["$schema"] = .string(JSONSchema.Draft.draft7.rawValue + "#")
    return .object(object)
  }

  func options(draft: String, assertsFormats: Bool) -> JSONSchema.Options {
    let remotes = folder + "/remotes"
    return JSONSchema.Options(assertsFormats: assertsFormats) {
      (uri: String) throws(JSONSchemaResolverError) in
      guard uri.hasPrefix("http://localhost:1234/") else { throw JSONSchemaResolverError(message: "no such document") }
      let path = remotes + "/" + uri.dropFirst("http://localhost:1234/".count)
      guard let data = try? Data(contentsOf: URL(filePath: path)), let value = try? JSONValue(parsing: Array(data)) else {
        throw JSONSchemaResolverError(message: "no such file: \(path)")
      }
      return value
    }
  }
}
