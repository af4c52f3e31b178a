import GarlandTransfer

/// A file of this machine that kept a request from being sent, or its response from being kept. The raw value is the key that names it in a document.
enum BrokenFile: String {
  case body, download, cache
  /// The file that a `file:` URL names.
  case url
  case certificate = "tls.cert"
  case authorities = "tls.ca"
}

extension NetworkingError.Reason {
  /// The file of this machine that is to blame; nil where none is.
  var brokenFile: BrokenFile? {
    switch self {
    case .upload: .body
    case .download: .download
    case .file: .url
    case .cache: .cache
    case .tls(.clientCertificate, _): .certificate
    case .tls(.authorities, _): .authorities
    default: nil
    }
  }
}
