import ArgumentParser
import GarlandAuth
import GarlandDiagnostics
import GarlandRunner

/// What the commands of `garland auth` have in common: the entry that is meant, and the cache.
struct AuthSession {
  let workspace: Workspace
  private let auth: NamedAuth

  /// Reads the documents and evaluates the entry.
  init(
    _ arguments: AuthArguments, browser: RunTokens.Browser? = nil,
    show: @escaping @Sendable (DeviceAuthorization) async -> Void = { _ in }
  ) throws {
    let environment = ProcessEnvironment.current
    var workspace = Workspace(arguments.paths, arguments.values, arguments.output, environment: environment)
    if let stranger = workspace.namedSteps.first {
      throw CommandFailure.usage("there is no file \(stranger): after the name come workflow files")
    }
    let cache = try TokenOptions.cache(environment)
    guard let plan = workspace.completePlan() else {
      workspace.showDiagnostics()
      throw ExitCode(2)
    }
    var configuration = RunConfiguration(
      environment: environment, workingDirectory: workspace.workingDirectory, files: workspace.files, redactor: workspace.redactor)
    configuration.secrets = workspace.secrets
    configuration.tokens = RunTokens(browser: browser)
    do throws(NamedAuth.Failure) {
      auth = try NamedAuth(arguments.name, in: plan, configuration, cache: cache, show: show)
    } catch {
      workspace.report(error.diagnostics)
      workspace.showDiagnostics()
      throw ExitCode(2)
    }
    workspace.showDiagnostics()
    self.workspace = workspace
  }

  /// Does something, and says why it could not be done.
  func carryOut(_ body: (NamedAuth) async throws -> Void) async throws {
    do {
      try await body(auth)
    } catch let error as OAuthError {
      workspace.note("error: \(DisplayText.visible("\(error)"))")
      throw ExitCode(Self.status(of: error))
    }
  }

  /// As a run would end for the same reason.
  private static func status(of error: OAuthError) -> Int32 {
    switch error {
    case .transport(_, _, let isUnreachable): isUnreachable ? 3 : 4
    case .cache, .timeUp, .cancelled: 4
    case .refused, .invalidResponse, .invalidCallback, .idToken, .key, .configuration, .authorization: 1
    }
  }
}
