import GarlandCrypto

/// The users who can log in.
enum Users {
  static let passwords = ["alice": "wonderland", "bob": "builder", "admin": "letmein"]

  static func accepts(_ user: String, _ password: String) -> Bool {
    guard let expected = passwords[user] else { return false }
    return constantTimeEqual(expected.utf8, password.utf8)
  }
}
