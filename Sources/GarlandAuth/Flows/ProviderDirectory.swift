import GarlandCrypto
import GarlandJSON
import GarlandNetworking
import HTTPTypes

/// What is known of providers: their metadata and keys, fetched when they are first needed.
actor ProviderDirectory {
  private let transport: any AuthTransport
  private var metadata: [String: ProviderMetadata] = [:]
  private var keySets: [String: JSONWebKeySet] = [:]

  init(_ transport: any AuthTransport) { self.transport = transport }

  /// The metadata of an issuer; nil without one.
  func metadata(if issuer: String?) async throws(OAuthError) -> ProviderMetadata? {
    guard let issuer else { return nil }
    if let known = metadata[issuer] { return known }
    var problem = OAuthError.configuration("the issuer \(issuer) has no metadata")
    for location in try ProviderMetadata.locations(of: issuer) {
      do throws(OAuthError) {
        let response = try await send(Self.get(location), for: .discovery, .discovery)
        let found = try ProviderMetadata(try OAuthAnswer.object(response, of: .discovery), issuer: issuer)
        metadata[issuer] = found
        return found
      } catch {
        problem = error
        // It is there, or nobody is: the other place would not help.
        if case .invalidResponse(let detail, _) = error, detail.hasPrefix("status ") { continue }
        throw error
      }
    }
    throw problem
  }

  /// The keys at a URL.
  func keys(at url: String, anew: Bool) async throws(OAuthError) -> JSONWebKeySet {
    if !anew, let known = keySets[url] { return known }
    let response = try await send(Self.get(url), for: .keys, .keys)
    do throws(KeyError) {
      let keys = try JSONWebKeySet(.object(try Self.object(response)))
      keySets[url] = keys
      return keys
    } catch {
      throw .invalidResponse("\(error)", .keys)
    }
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

  private static func object(_ response: TransferResponse) throws(KeyError) -> JSONObject {
    do throws(OAuthError) {
      return try OAuthAnswer.object(response, of: .keys)
    } catch {
      throw .malformed("\(error)")
    }
  }

  private static func get(_ url: String) -> TransferRequest {
    var request = TransferRequest(url: url)
    request.headerFields[.accept] = "application/json"
    request.settings.maximumBodyBytes = 1 << 20
    return request
  }
}
