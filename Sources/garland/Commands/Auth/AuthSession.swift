import ArgumentParser
import GarlandAuth
import GarlandDiagnostics
import GarlandPlanner
import GarlandRunner

/// The entry of `auth` and the token cache that a command of `garland auth` works with.
struct AuthSession {
  let workspace: Workspace
  /// The name of the `auth` entry in the documents.
  let name: String
  private let auth: NamedAuth

  /// Decodes the documents and evaluates the `auth` entry.
  ///
  /// - Parameter needsSecrets: Whether missing secrets are errors.
  init(
    _ arguments: AuthArguments, needsSecrets: Bool = true, browser: RunTokens.Browser? = nil, patience: Duration? = nil,
    show: @escaping @Sendable (DeviceAuthorization) async -> Void = { _ in }
  ) throws {
    let environment = ProcessEnvironment.current
    let (given, paths) = Self.split(arguments)
    var workspace = Workspace(paths, arguments.values, arguments.output, environment: environment)
    if let stranger = workspace.namedSteps.first {
      let near = workspace.files.files.nearest(to: stranger, in: workspace.workingDirectory)
      throw CommandFailure.usage(
        "there is no workflow file `\(stranger)`; "
          + (near.map { "did you mean `\($0)`?" } ?? "the name of the `auth` entry must come before the workflow files"))
    }
    let cache = try TokenOptions.cache(environment)
    guard let plan = workspace.completePlan() else {
      workspace.showDiagnostics()
      throw ExitCode(2)
    }
    name = try given ?? Self.only(in: plan, paths)
    var configuration = RunConfiguration(
      environment: workspace.variables, workingDirectory: workspace.workingDirectory, files: workspace.files, redactor: workspace.redactor)
    configuration.secrets = workspace.secrets
    configuration.tokens = RunTokens(browser: browser)
    do throws(NamedAuth.Failure) {
      auth = try NamedAuth(name, in: plan, configuration, cache: cache, needsSecrets: needsSecrets, patience: patience, show: show)
    } catch {
      workspace.report(error.diagnostics)
      workspace.showDiagnostics()
      throw ExitCode(2)
    }
    workspace.showDiagnostics()
    self.workspace = workspace
  }

  /// Splits the arguments into the name of the `auth` entry and the paths. The name is nil if the first argument looks like a file.
  private static func split(_ arguments: AuthArguments) -> (name: String?, paths: PathArguments) {
    guard let first = arguments.name else { return (nil, arguments.paths) }
    guard first == "-" || first.contains("/") || first.hasSuffix(".yaml") || first.hasSuffix(".yml") else {
      return (first, arguments.paths)
    }
    var paths = arguments.paths
    paths.arguments.insert(first, at: 0)
    return (nil, paths)
  }

  private static func only(in plan: Plan, _ paths: PathArguments) throws(CommandFailure) -> String {
    let names = NamedAuth.names(in: plan)
    let files = paths.arguments.isEmpty ? "garland.yaml" : paths.arguments.joined(separator: " ")
    guard let first = names.first else {
      throw .usage("\(files) has no `auth` entry of the kind `oauth2`, and only this kind has tokens that can be stored")
    }
    guard names.count > 1 else { return first }
    let all = names.map { "`\($0)`" }.joined(separator: ", ")
    throw .usage("\(files) has more than one `auth` entry (\(all)): write one of these names before the files")
  }

  /// Executes `body`. If `body` throws an OAuth error, shows the error and throws the exit status.
  func carryOut(_ body: (NamedAuth) async throws -> Void) async throws {
    do {
      try await body(auth)
    } catch let error as OAuthError {
      workspace.note("error: \(DisplayText.visible("\(error)"))")
      throw ExitCode(Self.status(of: error))
    }
  }

  /// Returns the exit status for an OAuth error. A run with this error has the same exit status.
  private static func status(of error: OAuthError) -> Int32 {
    switch error {
    case .transport(_, _, let isUnreachable): isUnreachable ? 3 : 4
    case .cache, .timeUp, .cancelled: 4
    case .refused, .invalidResponse, .invalidCallback, .idToken, .key, .configuration, .authorization: 1
    }
  }
}
