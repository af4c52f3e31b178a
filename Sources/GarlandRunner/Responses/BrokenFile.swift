import GarlandTransfer

/// The kind of the local file that made a transfer fail, for example because the file can't be read.
enum BrokenFile: String {
  case body, download, cache
  /// The file of a `file:` URL.
  case url
  case certificate = "tls.cert"
  case authorities = "tls.ca"
}

extension NetworkingError.Reason {
  /// Whether the body of a failed transfer may lack its end. False if the response was complete, or if the transfer failed because of a
  /// file on this machine.
  var leavesBodyIncomplete: Bool {
    switch self {
    case .redirect: false
    default: brokenFile == nil
    }
  }

  /// The file of this machine that caused the error; nil if the cause is not a file.
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

extension NetworkingError {
  /// Whether an unusable file ended the transfer before a connection was opened and a request was sent. Only two files count: the file with
  /// the request's body, and the file to which the response is downloaded.
  var isBeforeSending: Bool {
    guard metrics.transactions.isEmpty, partialResponse == nil else { return false }
    switch reason.brokenFile {
    case .body, .download: return true
    case .cache, .url, .certificate, .authorities, nil: return false
    }
  }
}
