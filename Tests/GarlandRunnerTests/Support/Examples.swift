import GarlandPlanner
import GarlandWorkflow
import TestSupport
import Testing

@testable import GarlandRunner

/// The examples of the repository: files, and folders whose files run together.
enum Examples {
  static let all = [
    ["quickstart.yaml"], ["bookshop.yaml"], ["encodings.yaml"],
    ["oauth/client_credentials.yaml"], ["oauth/private_key_jwt.yaml"], ["oauth/password.yaml"], ["oauth/refresh_token.yaml"],
    ["oauth/authorization_code.yaml"], ["oauth/device_code.yaml"], ["oauth/jwt_bearer.yaml"], ["oauth/token_exchange.yaml"],
    ["oauth/other_credentials.yaml"],
    ["collection/account.yaml", "collection/catalogue.yaml", "collection/orders.yaml", "collection/status.yaml"],
  ]
  /// Those whose steps need no token, which would be another one each time.
  static let withoutTokens = all.filter { $0.allSatisfy { !$0.hasPrefix("oauth/") } }
  static let folder = Repository.path("examples")

  static func files(writingTo folder: TemporaryFolder) -> FileAccess { FileAccess(SystemFiles(), roots: [Self.folder, folder.path]) }

  /// The plan of some of them in one run.
  static func plan(_ names: [String], _ access: FileAccess, writingTo folder: TemporaryFolder) throws -> Plan {
    let workflows = try names.map { name in
      let path = "\(Self.folder)/\(name)"
      let bytes = try access.files.read(path, limit: 1 << 20)
      let directory = path.split(separator: "/").dropLast().joined(separator: "/")
      let (workflow, diagnostics) = WorkflowDecoder.decode(
        name: name, bytes: bytes, directory: "/" + directory, options: .init(files: access))
      return try #require(workflow, "\(diagnostics.all.map(\.message))")
    }
    return try #require(Planner(workingDirectory: folder.path).plan(workflows).plan)
  }
}
