import Testing

@testable import GarlandTransfer

@Suite struct TLSAlertTests {
  static let texts: [(String, TLSAlert?)] = [
    ("OpenSSL SSL_read: error:0A00045C:SSL routines::tlsv13 alert certificate required, errno 0", .certificateRequired),
    ("error:0A000410:SSL routines::sslv3 alert handshake failure", .handshakeFailure),
    ("error:0A000410:SSL routines::ssl/tls alert handshake failure", .handshakeFailure),
    ("error:0A000418:SSL routines::tlsv1 alert unknown ca", .unknownAuthority),
    ("error:0A000412:SSL routines::sslv3 alert bad certificate", .badCertificate),
    ("error:0A000415:SSL routines::sslv3 alert certificate expired", .certificateExpired),
    ("error:0A000414:SSL routines::sslv3 alert certificate revoked", .certificateRevoked),
    ("error:0A000416:SSL routines::sslv3 alert certificate unknown", .certificateUnknown),
    ("error:0A000419:SSL routines::tlsv1 alert access denied", .accessDenied),
    ("error:0A00042E:SSL routines::tlsv1 alert protocol version", .protocolVersion),
    ("error:0A000458:SSL routines::tlsv1 unrecognized name", .unrecognizedName),
    // An error found on this side is not an alert.
    ("error:0A00010B:SSL routines::wrong version number", nil), ("error:0A000086:SSL routines::certificate verify failed", nil),
    ("SSL certificate problem: unknown ca", nil), ("Connection reset by peer", nil), ("", nil),
  ]

  @Test(arguments: texts) func `a TLS alert is recognised in the error text of OpenSSL`(text: String, alert: TLSAlert?) {
    #expect(TLSAlert(openSSL: text) == alert)
  }

  @Test func `every TLS alert has a description`() {
    let reason = NetworkingError.Reason.tls(.alert(.certificateRequired), detail: "error:0A00045C")
    #expect(reason.description == "the server requires a client certificate, but none was sent (TLS alert \"certificate required\")")
    for alert in TLSAlert.allCases {
      #expect(!alert.words.isEmpty)
      #expect(TLSAlert(openSSL: "error:0A000000:SSL routines::tlsv1 alert \(alert.rawValue)") == alert)
    }
  }
}
