import FoundationEssentials
import GarlandJSON
import TestSupport
import Testing

/// The folder `Tests/Conformance`, and what its runner says of the command that was built beside the tests.
enum Conformance {
  static let folder = Repository.path("Tests/Conformance")

  /// A document, named as the runner names it: `predicates/eq`, `predicates/eq.fails`.
  struct Case: Sendable, Hashable, CustomTestStringConvertible {
    let name: String
    var testDescription: String { name }
    var isTwin: Bool { name.hasSuffix(".fails") }
    var topic: String { name.split(separator: "/").first.map(String.init) ?? "" }
    /// The name without the topic, of both twins.
    var feature: String {
      let last = name.split(separator: "/").last.map(String.init) ?? ""
      return isTwin ? String(last.dropLast(".fails".count)) : last
    }
    var path: String { "\(Conformance.folder)/\(name).yaml" }
    var text: String { String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self) }
  }

  static let cases: [Case] = {
    let manager = FileManager.default
    let topics = (try? manager.contentsOfDirectory(atPath: folder)) ?? []
    return topics.sorted().flatMap { topic -> [Case] in
      let names = (try? manager.contentsOfDirectory(atPath: "\(folder)/\(topic)")) ?? []
      return names.filter { $0.hasSuffix(".yaml") }.sorted().map { Case(name: "\(topic)/\($0.dropLast(".yaml".count))") }
    }
  }()

  /// Documents that cases use or call.
  static let supporting: [Case] = {
    let manager = FileManager.default
    let topics = (try? manager.contentsOfDirectory(atPath: folder)) ?? []
    return topics.sorted().flatMap { topic -> [Case] in
      let names = (try? manager.contentsOfDirectory(atPath: "\(folder)/\(topic)/support")) ?? []
      let cases = names.filter { $0.hasSuffix(".yaml") }.map { Case(name: "\(topic)/support/\($0.dropLast(".yaml".count))") }
      return cases.filter { $0.text.hasPrefix("garland:") }
    }
  }()

  static func features(of topic: String) -> Set<String> { Set(cases.filter { $0.topic == topic && !$0.isTwin }.map(\.feature)) }

  /// The verdict of `Tests/Conformance/run` on every case, computed once.
  struct Verdict: Sendable {
    var cases: [String] = []
    var problems: [String: [String]] = [:]
  }

  struct RunnerFailed: Error, CustomStringConvertible {
    let description: String
  }

  static let verdict = Task { () async throws -> Verdict in try await verdict(of: Repository.products + "/garland") }

  /// The environment of the cases: the sandbox, and ways to it over TLS and others. They exist
  /// until the tests end.
  static let environment = Task { () async throws -> [String: String] in
    let servers = try ChildProcess("\(folder)/run", [Repository.products + "/garland", "--serve"], in: Repository.path)
    guard await servers.sees("}\n") else { throw RunnerFailed(description: "conformance/run --serve: \(servers.soFar)") }
    let variables = try JSONValue(parsing: Array(servers.soFar.output.utf8)).objectValue ?? [:]
    return Dictionary(variables.map { ($0.key, $0.value.stringValue ?? "") }) { $1 }
  }

  static func verdict(of binary: String, _ arguments: [String] = []) async throws -> Verdict {
    let scratch = try TemporaryFolder()
    let file = scratch.path + "/verdict.json"
    let result = try await ChildProcess.run("\(folder)/run", [binary, "--json", file] + arguments, in: Repository.path)
    guard let data = FileManager.default.contents(atPath: file) else {
      throw RunnerFailed(description: "conformance/run: \(result.status)\n\(result.output)\(result.error)")
    }
    let answer = try JSONValue(parsing: Array(data))
    var verdict = Verdict()
    verdict.cases = (answer["cases"]?.arrayValue ?? []).compactMap(\.stringValue)
    for problem in answer["problems"]?.objectValue ?? [:] {
      verdict.problems[problem.key] = (problem.value.arrayValue ?? []).compactMap(\.stringValue)
    }
    return verdict
  }
}
