import GarlandText
import GarlandTransfer
import HTTPTypes

/// A form that is posted to an endpoint of the provider.
struct OAuthFormRequest {
  let url: String
  var fields: [(String, String)]
  var basic: (user: String, password: String)?
  var certificate: ClientCertificate?

  init(url: String, fields: [(String, String)]) {
    self.url = url
    self.fields = fields
  }

  /// The HTTP request for the form. It follows no redirects, so that secrets are sent only to the configured
  /// endpoint.
  var transfer: TransferRequest {
    var request = TransferRequest(url: url, method: .post)
    request.headerFields[.contentType] = "application/x-www-form-urlencoded"
    request.headerFields[.accept] = "application/json"
    request.body = .bytes(Array(Self.encode(fields).utf8))
    if let basic {
      request.credential = .basic(user: PercentEncoding.encode(basic.user), password: PercentEncoding.encode(basic.password))
    }
    request.settings.tls.clientCertificate = certificate
    request.settings.redirects = .deliver
    request.settings.maximumBodyBytes = 1 << 20
    return request
  }

  static func encode(_ fields: [(String, String)]) -> String {
    fields.map { "\(PercentEncoding.encode($0))=\(PercentEncoding.encode($1))" }.joined(separator: "&")
  }
}
