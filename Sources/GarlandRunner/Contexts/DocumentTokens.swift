import GarlandAuth
import GarlandJSON
import GarlandWorkflow
import Synchronization

/// The sources of the tokens for a document's `auth` entries. The index of an entry identifies its source.
final class DocumentTokens: Sendable {
  private let sources = Mutex<[Int: TokenSource]>([:])

  func source(_ index: Int) -> TokenSource? { sources.withLock { $0[index] } }

  func add(_ source: TokenSource, at index: Int) { sources.withLock { $0[index] = source } }

  func tokens(_ index: Int) -> TokenSet? { source(index)?.manager.tokens }

  /// Returns the indexes of the `auth` entries that the step uses and that have no valid token yet. Only entries with OAuth 2 need a token.
  /// Each index occurs once.
  func missing(for step: Step, of workflow: Workflow) -> [Int] {
    var missing: [Int] = []
    for input in step.inputs {
      guard case .authentication(let index) = input.target, workflow.authentications[index].oauth2 != nil,
        source(index)?.manager.freshTokens == nil, !missing.contains(index)
      else { continue }
      missing.append(index)
    }
    return missing
  }

  /// Returns the indexes of those `auth` entries of a step whose tokens are being replaced, because a server has rejected the old tokens.
  func beingReplaced(for step: Step) -> [Int] {
    step.inputs.compactMap { input in
      guard case .authentication(let index) = input.target, source(index)?.manager.isBeingReplaced == true else { return nil }
      return index
    }
  }

  /// Returns a member of an entry's token for an expression, such as the access token or a claim; nil if the entry has no token yet, or if
  /// its token does not have the member.
  func value(_ index: Int, _ member: AuthMember) -> Value? {
    guard let tokens = tokens(index) else { return nil }
    switch member {
    case .accessToken: return .secret(.string(tokens.accessToken))
    case .idToken: return tokens.idToken.map { .secret(.string($0)) }
    case .claims: return tokens.claims.map { .plain(.object($0)) }
    case .scope: return .plain(.string(tokens.scope.joined(separator: " ")))
    case .expiresAt: return tokens.expiresAt.flatMap { JSONNumber($0) }.map { .plain(.number($0)) }
    }
  }
}

/// Obtains and renews the tokens of an identity (provider, client, user, scope and target), and records the requests to the provider.
struct TokenSource: Sendable {
  let manager: TokenManager
  let log: ExchangeLog
}
