import Foundation
import GarlandPlanner
import GarlandWorkflow
import TestSupport
import Testing

@testable import GarlandRunner

/// The examples of the repository: single files, and folders whose files run together.
enum Examples {
  static let all = [
    ["quickstart.yaml"], ["bookshop.yaml"], ["encodings.yaml"], ["webhook.yaml"],
    ["oauth/client_credentials.yaml"], ["oauth/client_authentication.yaml"], ["oauth/password.yaml"], ["oauth/refresh_token.yaml"],
    ["oauth/authorization_code.yaml"], ["oauth/device_code.yaml"], ["oauth/jwt_bearer.yaml"], ["oauth/token_exchange.yaml"],
    ["oauth/other_credentials.yaml"], ["oauth/oauth1.yaml"], ["oauth/shared.yaml"], ["oauth/log_in_by_hand.yaml"], ["oauth/mtls.yaml"],
    ["oauth"],
    ["shop"], ["smoke"], ["collection"],
  ]
  /// The examples whose steps each send a single request, and that need no token, since a token is different each time.
  static let plain = all.filter { $0.allSatisfy { $0.hasSuffix(".yaml") && !$0.hasPrefix("oauth/") && $0 != "webhook.yaml" } }
  static let folder = Repository.path("examples")

  /// Returns the documents for a name. For a folder, these are all documents within it.
  private static func documents(_ name: String) throws -> [String] {
    guard !name.hasSuffix(".yaml") else { return [name] }
    let below = try FileManager.default.subpathsOfDirectory(atPath: "\(folder)/\(name)")
    return below.filter { $0.hasSuffix(".yaml") && !Project.isProject($0) }.sorted().map { "\(name)/\($0)" }
  }

  /// Returns the number of random orders in which an example is run. It is smaller for large examples, and for the OAuth flows, which have
  /// only one or two steps.
  static func orders(of names: [String]) -> Int {
    if plain.contains(names) { return DeepTests.rounds(100, otherwise: 20) }
    return names == ["shop"] ? DeepTests.rounds(12, otherwise: 6) : 4
  }

  static func files(writingTo folder: TemporaryFolder) -> FileAccess { FileAccess(SystemFiles(), roots: [Self.folder, folder.path]) }

  /// Returns a plan of several examples for a single run.
  static func plan(_ names: [String], _ access: FileAccess, writingTo folder: TemporaryFolder) throws -> Plan {
    var options = WorkflowDecoder.Options(files: access)
    options.library = DocumentLibrary()
    options.projects = ProjectFinder(.nearest, files: access, workingDirectory: Self.folder)
    let workflows = try names.flatMap(documents).map { name in
      let path = "\(Self.folder)/\(name)"
      let bytes = try access.files.read(path, limit: 1 << 20)
      let directory = path.split(separator: "/").dropLast().joined(separator: "/")
      let (workflow, diagnostics) = WorkflowDecoder.decode(
        name: name, bytes: bytes, directory: "/" + directory, options: options)
      return try #require(workflow, "\(diagnostics.all.map(\.message))")
    }
    return try #require(Planner(workingDirectory: folder.path).plan(workflows).plan)
  }
}
