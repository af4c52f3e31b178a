/// The keys of the mapping `submit:`.
enum SubmitKey: String, DocumentKey {
  case form, from, fields, button
  static let table = KeyTable<SubmitKey>("`submit`")

  var info: KeyInfo {
    switch self {
    case .from: KeyInfo(.name, "The step whose response has the form; required.", "login_page")
    case .form:
      KeyInfo(.name, "The form, by its name, its id or an XPath. Default: the only one.", "login")
    case .fields:
      KeyInfo(
        .mapping(.either([.text, .null, .list(.anything), .table("part")])),
        "Fields to fill in, by name; all others, hidden ones too, are sent as they are. A list for several values, `true` or `false` for a checkbox, `{ file: PATH }` for a file.",
        "{ user: alice, password: '${secrets.SHOP_PASSWORD}' }")
    case .button:
      KeyInfo(.name, "The button to press, by its name, value or text; `none` presses none. Default: the first.", "Buy")
    }
  }
}
