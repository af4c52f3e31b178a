import GarlandTransfer
import HTTPTypes

extension TransferRequest {
  /// Whether a response is from where the request was sent to. What a redirect has led elsewhere was without credentials there.
  func leadsToSameOrigin(as response: TransferResponse) -> Bool {
    guard !response.redirects.isEmpty, let from = try? URLReference(url), let to = try? URLReference(response.url) else { return true }
    return from.origin == to.origin
  }
}

extension TransferResponse {
  /// Where it redirects to, if that is a URL but for its query.
  func redirect(to boundary: String) -> String? {
    guard (300...399).contains(status.code), let location = headerFields[.location], let base = try? URLReference(url),
      let target = (try? URLReference(location))?.resolved(against: base), let wanted = try? URLReference(boundary),
      target.scheme == wanted.scheme, target.host == wanted.host, target.effectivePort == wanted.effectivePort,
      target.path == wanted.path || target.path + wanted.path == "/"
    else { return nil }
    return target.description
  }
}
