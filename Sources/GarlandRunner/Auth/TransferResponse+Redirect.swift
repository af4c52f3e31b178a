import GarlandTransfer
import HTTPTypes

extension TransferRequest {
  /// Whether the response comes from the origin to which this request was sent. False if a redirect led to another origin, to which
  /// credentials are not sent.
  func leadsToSameOrigin(as response: TransferResponse) -> Bool {
    guard !response.redirects.isEmpty, let from = try? URLReference(url), let to = try? URLReference(response.url) else { return true }
    return from.origin == to.origin
  }
}

extension TransferResponse {
  /// Returns the target URL if the response is a redirect, and its target has the same scheme, host, port and path as `boundary`. Otherwise
  /// returns nil.
  func redirect(to boundary: String) -> String? {
    guard (300...399).contains(status.code), let location = headerFields[.location], let base = try? URLReference(url),
      let target = (try? URLReference(location))?.resolved(against: base), let wanted = try? URLReference(boundary),
      target.scheme == wanted.scheme, target.host == wanted.host, target.effectivePort == wanted.effectivePort,
      target.path == wanted.path || target.path + wanted.path == "/"
    else { return nil }
    return target.description
  }
}
