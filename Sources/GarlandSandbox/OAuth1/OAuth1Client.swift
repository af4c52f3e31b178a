/// The only client that signs its requests by OAuth 1 (RFC 5849), with its only token and the user for whom it acts.
enum OAuth1Client {
  static let consumerKey = "consumer"
  static let consumerSecret = "consumer-secret"
  static let token = "token"
  static let tokenSecret = "token-secret"
  static let user = "alice"

  /// The public key for RSA-SHA1. The private key is `examples/oauth/rsa_signer.pem`.
  static let key = """
    -----BEGIN PUBLIC KEY-----
    MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAlVWOxJ6fHngDrSBFS11A
    C/XBvtlJ7c4IXKgflUZVMUzTgwOdoLiSGfQO3KYHasuv5us0p4kWdj4yQC6yuFwZ
    yJSoJl8wuWZO7BdUBoSOEJx/OITF8kLdS1MfypgYIKSj91QMIRM1KjU0+BapBN7w
    9abtbP8GhOv0ezdouGgRcOBQD6ZD1GdgvqlGavLexdDhK/zCUxF0S57aTm9jmllj
    C2y+fJIiSUa/9XRxmoxM8mv+kHSice1Jj5+crmJUAAQp0bNRsHHwCZqwF5Rq66E/
    YxbNowSuNBaJQkXJGs3zlCfmXOv/Bjlv0my+TEjo43EkLML71LzKy8Gp303/XRAm
    vwIDAQAB
    -----END PUBLIC KEY-----
    """
}
