import GarlandDiagnostics
import GarlandTransfer
import GarlandWorkflow

/// Why a form can't be sent.
struct FormMistake: Error {
  var message: String
  var help: String?
}

/// A form of a page with its controls, in the order of the page.
struct PageForm {
  let node: MarkupNode
  var controls: [FormControl]

  /// How errors call it.
  let words: String

  init(_ wanted: SubmitTemplate.Form, in page: MarkupBody) throws(FormMistake) {
    let forms = page.nodes("//*[local-name()='form']")
    guard !forms.isEmpty else { throw FormMistake(message: "the page has no form") }
    node = try Self.find(wanted, forms, page)
    words = Self.name(of: node).map { "the form `\($0)`" } ?? "the form"
    let own = node
    let all = page.nodes(
      "//*[local-name()='input' or local-name()='select' or local-name()='textarea' or local-name()='button'][not(ancestor::*[local-name()='datalist'])]"
    )
    controls = all.filter { Self.owner(of: $0, forms) == own }.compactMap(FormControl.init)
  }

  private static func find(_ wanted: SubmitTemplate.Form, _ forms: [MarkupNode], _ page: MarkupBody) throws(FormMistake) -> MarkupNode {
    let names = forms.compactMap(name(of:))
    let known = names.isEmpty ? nil : "its forms are \(Shown.list(names))"
    switch wanted {
    case .only:
      if forms.count == 1 { return forms[0] }
      throw FormMistake(
        message: "the page has \(forms.count) forms",
        help: "say which: `form:` with a name, an id or an XPath" + (known.map { "; \($0)" } ?? ""))
    case .named(let name):
      if let form = forms.first(where: { $0[attribute: "name"] == name || $0[attribute: "id"] == name }) { return form }
      throw FormMistake(
        message: "the page has no form `\(name)`",
        help: Suggestion.nearest(to: name, in: names).map { "it has `\($0)`" } ?? known
          ?? "its forms have neither names nor ids: give an XPath")
    case .path(let path):
      let found: [MarkupNode]
      do throws(XPathError) {
        found = try page.document.select(path.text).nodes
      } catch {
        throw FormMistake(message: "`\(path.text)` can't be evaluated: \(error.detail)")
      }
      guard let first = found.first else { throw FormMistake(message: "`\(path.text)` selects nothing on the page", help: known) }
      // A field or button stands for its form.
      if let form = forms.first(where: { $0 == first }) ?? owner(of: first, forms) { return form }
      throw FormMistake(message: "`\(path.text)` selects <\(first.name)>, which is no form", help: known)
    }
  }

  private static func name(of form: MarkupNode) -> String? {
    [form[attribute: "name"], form[attribute: "id"]].compactMap(\.self).first { !$0.isEmpty }
  }

  /// HTML, 4.10.18.3: the form that the attribute names, else the nearest around it.
  private static func owner(of node: MarkupNode, _ forms: [MarkupNode]) -> MarkupNode? {
    if let id = node[attribute: "form"] { return forms.first { $0[attribute: "id"] == id } }
    var next = node.parent
    while let current = next {
      if forms.contains(current) { return current }
      next = current.parent
    }
    return nil
  }

  /// The button that is pressed: the first unless it is said which.
  func button(_ wanted: String?) throws(FormMistake) -> FormControl? {
    let buttons = controls.filter(\.isButton)
    guard let wanted else { return buttons.first { !$0.isDisabled } }
    guard !wanted.isEmpty else { return nil }
    let byName =
      buttons.first { $0.name == wanted } ?? buttons.first { $0.value == wanted && !$0.value.isEmpty }
      ?? buttons.first { $0.label == wanted }
    guard let button = byName else {
      let names = buttons.map { $0.label.isEmpty ? $0.name : $0.label }.filter { !$0.isEmpty }
      throw FormMistake(message: "\(words) has no button `\(wanted)`", help: names.isEmpty ? nil : "it has \(Shown.list(names))")
    }
    guard !button.isDisabled else { throw FormMistake(message: "the button `\(wanted)` of \(words) is disabled") }
    return button
  }
}

extension MarkupBody {
  /// What an expression that is known to be right selects.
  func nodes(_ expression: String) -> [MarkupNode] { (try? document.select(expression).nodes) ?? [] }
}
