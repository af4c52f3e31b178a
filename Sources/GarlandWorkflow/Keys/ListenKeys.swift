/// The keys of the mapping `listen:`.
enum ListenKey: String, DocumentKey {
  case path, within
  static let table = KeyTable<ListenKey>("`listen`")

  var info: KeyInfo {
    switch self {
    case .path:
      KeyInfo(.pattern("^/"), "The path of the URL: only values that are known before the run, and no `item` of a loop.", "/hook")
    case .within:
      KeyInfo(
        .duration, "The time limit for the request, after all steps that use the URL are sent. Default: 30s.", "1m")
    }
  }
}
