import GarlandCrypto
import GarlandJSON
import GarlandTransfer
import HTTPTypes

/// Caches the metadata of providers and the keys that verify their ID tokens. Both are fetched when they are first needed.
actor ProviderDirectory {
  private let transport: any AuthTransport
  private var metadata: [String: ProviderMetadata] = [:]
  private var keySets: [String: JSONWebKeySet] = [:]

  init(_ transport: any AuthTransport) { self.transport = transport }

  /// Returns the metadata of an issuer, from the cache or from the issuer's well-known URLs; nil if `issuer` is nil.
  func metadata(if issuer: String?) async throws(OAuthError) -> ProviderMetadata? {
    guard let issuer else { return nil }
    if let known = metadata[issuer] { return known }
    var problems: [String] = []
    for location in try ProviderMetadata.locations(of: issuer) {
      let response = try await fetch(location, for: .discovery, .discovery)
      let object: JSONObject
      do throws(OAuthError) {
        object = try OAuthAnswer.metadata(response)
      } catch {
        // After an invalid response, for example the HTML page of an application, try the next location.
        if case .invalidResponse(let detail, _) = error { problems.append("\(detail) at \(location)") } else { throw error }
        continue
      }
      let found = try ProviderMetadata(object, issuer: issuer)
      metadata[issuer] = found
      return found
    }
    throw .invalidResponse(problems.joined(separator: ", and "), .discovery)
  }

  /// Returns the keys that a provider publishes at a URL, from the cache if possible. `isNew` is true if the keys were just fetched.
  func keys(at url: String) async throws(OAuthError) -> (keys: JSONWebKeySet, isNew: Bool) {
    if let known = keySets[url] { return (known, false) }
    return (try await newKeys(at: url), true)
  }

  /// Fetches the keys that the provider publishes at a URL, even if they are already cached, and replaces the cached keys.
  func newKeys(at url: String) async throws(OAuthError) -> JSONWebKeySet {
    let response = try await fetch(url, for: .keys, .keys)
    let object = try OAuthAnswer.metadata(response, .keys)
    do throws(KeyError) {
      let keys = try JSONWebKeySet(.object(object))
      keySets[url] = keys
      return keys
    } catch {
      throw .invalidResponse("\(error)", .keys)
    }
  }

  /// Fetches a document that the provider publishes. Redirects are followed, but a redirect from TLS to plain HTTP is an error: an attacker
  /// in the network could change a document that is sent without TLS.
  private func fetch(_ url: String, for purpose: AuthPurpose, _ endpoint: OAuthError.Endpoint) async throws(OAuthError) -> TransferResponse
  {
    let response = try await send(Self.get(url), for: purpose, endpoint)
    guard !response.redirects.isEmpty, url.hasPrefix("https://") else { return response }
    let ways = response.redirects.dropFirst().map(\.url) + [response.url]
    if let open = ways.first(where: { !$0.hasPrefix("https://") }) {
      throw .invalidResponse("a redirect leads from https to \(PlainText.of(open))", endpoint)
    }
    return response
  }

  nonisolated func send(
    _ request: TransferRequest, for purpose: AuthPurpose, _ endpoint: OAuthError.Endpoint
  ) async throws(OAuthError) -> TransferResponse {
    do throws(NetworkingError) {
      return try await transport.send(request, for: purpose)
    } catch {
      if error.reason.kind == .cancelled { throw .cancelled }
      throw .transport(error.reason, endpoint, isUnreachable: error.isUnreachable)
    }
  }

  private static func get(_ url: String) -> TransferRequest {
    var request = TransferRequest(url: url)
    request.headerFields[.accept] = "application/json"
    request.settings.maximumBodyBytes = 1 << 20
    return request
  }
}
