import GarlandCrypto
import Testing

@Suite struct ProofKeyTests {
  /// The example is in RFC 7636 appendix B.
  @Test func `the PKCE challenge of a verifier equals the example of RFC 7636`() throws {
    let proof = try #require(ProofKey(verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"))
    #expect(try proof.challenge() == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    #expect(try proof.matches(challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"))
    #expect(try !proof.matches(challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cN"))
  }

  @Test func `a PKCE verifier of the wrong length or alphabet is refused`() {
    #expect(ProofKey(verifier: String(repeating: "a", count: 42)) == nil)
    #expect(ProofKey(verifier: String(repeating: "a", count: 43)) != nil)
    #expect(ProofKey(verifier: String(repeating: "~", count: 128)) != nil)
    #expect(ProofKey(verifier: String(repeating: "a", count: 129)) == nil)
    #expect(ProofKey(verifier: String(repeating: "a", count: 43) + "+") == nil)
  }

  @Test func `the description of a PKCE verifier does not show it`() throws {
    let proof = try #require(ProofKey(verifier: String(repeating: "a", count: 43)))
    #expect(!"\(proof)".contains(proof.verifier))
  }
}
