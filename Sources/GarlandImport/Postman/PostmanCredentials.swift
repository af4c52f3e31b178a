import GarlandJSON
import GarlandWorkflow

/// Finds the variables of a collection that are used as credentials, regardless of their names.
enum PostmanCredentials {
  /// The keys of a Postman `auth` entry whose values are not secret.
  private static let publicKeys: Set<String> = [
    "key", "in", "username", "addTokenTo", "headerPrefix", "tokenType", "tokenName", "grant_type", "algorithm", "realm", "region",
    "service", "scope", "authUrl", "accessTokenUrl", "redirect_uri", "callBackUrl", "clientId", "type",
  ]

  /// Returns the names of the variables whose placeholders `{{…}}` occur in the values of
  /// credentials.
  static func variables(of collection: JSONValue) -> Set<String> {
    var names: Set<String> = []
    gather(collection, isAuth: false, &names)
    return names
  }

  private static func gather(_ value: JSONValue, isAuth: Bool, _ names: inout Set<String>) {
    for item in value.arrayValue ?? [] { gather(item, isAuth: isAuth, &names) }
    guard let object = value.objectValue else { return }
    if let key = object["key"]?.stringValue, let text = object["value"]?.stringValue, isCredential(key, isAuth: isAuth) {
      add(text, &names)
    }
    for (key, member) in object {
      if let text = member.stringValue {
        if key == "raw", let body = try? JSONValue(parsing: text) {
          gather(body, isAuth: false, &names)
        } else if key != "value", isCredential(key, isAuth: isAuth) {
          add(text, &names)
        }
      } else {
        gather(member, isAuth: isAuth || key == "auth", &names)
      }
    }
  }

  private static func isCredential(_ name: String, isAuth: Bool) -> Bool {
    isAuth ? !publicKeys.contains(name) : CredentialName.isCredential(name)
  }

  private static func add(_ text: String, _ names: inout Set<String>) {
    for case .name(let name) in PostmanPlaceholder.pieces(of: text) { names.insert(name) }
  }
}
