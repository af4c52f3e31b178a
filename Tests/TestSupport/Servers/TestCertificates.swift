/// Certificates for servers on `localhost` and `127.0.0.1`, made anew by the openssl command.
public struct TestCertificates: Sendable {
  /// The folder where all of them are.
  public let folder: String

  /// The certificate authority, which nobody else trusts.
  public var authority: String { folder + "/ca.pem" }
  /// Another one, for refusals.
  public var otherAuthority: String { folder + "/other-ca.pem" }
  /// A client's certificate, and its key.
  public var clientCertificate: String { folder + "/client.pem" }
  /// The client's key.
  public var clientKey: String { folder + "/client.key" }

  /// Makes them: `server`, `expired`, `wronghost`, `selfsigned` and `client`, each `.pem` and `.key`.
  public init(in folder: String) throws {
    self.folder = folder
    let script = """
      set -e
      cd "$1"
      key() { openssl ecparam -genkey -name prime256v1 -noout -out $1.key; }
      ca() {
        key $1
        openssl req -x509 -new -key $1.key -days 30 -subj "/CN=Garland test $1" -out $1.pem \
          -addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign,cRLSign
      }
      leaf() { # name, subject alternative names, days, extended key usage
        key $1
        openssl req -new -key $1.key -subj "/CN=$1" -out $1.csr
        printf 'subjectAltName=%s\\nextendedKeyUsage=%s\\n' "$2" "$4" >$1.ext
        if [ "$3" = expired ]; then
          openssl x509 -req -in $1.csr -CA ca.pem -CAkey ca.key -CAcreateserial -extfile $1.ext -out $1.pem -days -1
        else
          openssl x509 -req -in $1.csr -CA ca.pem -CAkey ca.key -CAcreateserial -extfile $1.ext -out $1.pem -days $3
        fi
      }
      ca ca
      ca other-ca
      leaf server DNS:localhost,DNS:other.localhost,IP:127.0.0.1 20 serverAuth
      leaf expired DNS:localhost,IP:127.0.0.1 expired serverAuth
      leaf wronghost DNS:example.com 20 serverAuth
      leaf client email:client@example.com 20 clientAuth
      key selfsigned
      openssl req -x509 -new -key selfsigned.key -days 30 -subj /CN=localhost -out selfsigned.pem -addext subjectAltName=DNS:localhost,IP:127.0.0.1
      """
    let result = try ChildProcess.runBlocking("/bin/sh", ["-c", script, "sh", folder])
    guard result.status == 0 else { throw ServerProcess.StartError(description: "openssl: \(result.error)") }
  }
}
