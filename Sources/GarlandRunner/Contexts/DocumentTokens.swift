import GarlandAuth
import GarlandJSON
import GarlandWorkflow
import Synchronization

/// What a document's `auth` has of tokens, by its entries' indexes.
final class DocumentTokens: Sendable {
  private let sources = Mutex<[Int: TokenSource]>([:])

  func source(_ index: Int) -> TokenSource? { sources.withLock { $0[index] } }

  func add(_ source: TokenSource, at index: Int) { sources.withLock { $0[index] = source } }

  func tokens(_ index: Int) -> TokenSet? { source(index)?.manager.tokens }

  /// What an expression names of a token.
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

/// The tokens of one identity, and what was sent for them.
struct TokenSource: Sendable {
  let manager: TokenManager
  let log: ExchangeLog
}
