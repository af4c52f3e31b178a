import GarlandDiagnostics
import GarlandJSON
import GarlandTransfer
import GarlandWorkflow

/// The reason why an HTML form can't be filled in or sent.
struct FormMistake: Error {
  var message: String
  var help: String?
  /// Whether the time limit was reached before the whole page was searched.
  var isOutOfTime = false
  /// Whether the mistake was caused on this machine, such as by a missing library or too little memory.
  var isLocal = false

  static let outOfTime = FormMistake(message: "the search for the form reached its time limit", isOutOfTime: true)

  /// Throws an error if the search for the form exceeds the time limit.
  static func checkTime(_ work: Int) throws(FormMistake) {
    if let computation = Computation.current, computation.isOver(after: work) { throw outOfTime }
  }
}

/// A form of an HTML page, with its controls in the order of the page.
struct PageForm {
  let node: MarkupNode
  var controls: [FormControl]

  /// The words with which error messages refer to this HTML form: its name or id, or "the form" if it has neither.
  let words: String

  init(_ wanted: SubmitTemplate.Form, in page: MarkupBody) throws(FormMistake) {
    let forms = try page.nodes("//*[local-name()='form']")
    guard !forms.isEmpty else { throw FormMistake(message: "the page has no form") }
    let known = Forms(forms)
    node = try Self.find(wanted, known, page)
    words = Self.name(of: node).map { "the form `\($0)`" } ?? "the form"
    let own = node
    let all = try page.nodes(
      "//*[local-name()='input' or local-name()='select' or local-name()='textarea' or local-name()='button'][not(ancestor::*[local-name()='datalist'])]"
    )
    controls = []
    for node in all {
      try FormMistake.checkTime(256)
      guard known.owner(of: node) == own, let control = FormControl(node) else { continue }
      controls.append(control)
    }
  }

  /// All forms of a page, with fast access to the form that contains a node.
  private struct Forms {
    let all: [MarkupNode]
    private let nodes: Set<MarkupNode>
    private let byID: [String: MarkupNode]

    init(_ forms: [MarkupNode]) {
      all = forms
      nodes = Set(forms)
      byID = Dictionary(forms.compactMap { form in form[attribute: "id"].map { ($0, form) } }) { first, _ in first }
    }

    /// Returns the form to which a control belongs: the form that the control's attribute `form` names, otherwise the nearest enclosing
    /// form (HTML, section 4.10.18.3).
    func owner(of node: MarkupNode) -> MarkupNode? {
      if let id = node[attribute: "form"] { return byID[id] }
      var next = node.parent
      while let current = next {
        if nodes.contains(current) { return current }
        next = current.parent
      }
      return nil
    }
  }

  private static func find(_ wanted: SubmitTemplate.Form, _ known: Forms, _ page: MarkupBody) throws(FormMistake) -> MarkupNode {
    let forms = known.all
    let names = forms.compactMap(name(of:))
    let list = names.isEmpty ? nil : "its forms are \(Shown.list(names))"
    switch wanted {
    case .only:
      if forms.count == 1 { return forms[0] }
      throw FormMistake(
        message: "the page has \(forms.count) forms",
        help: "choose a form: write `form:` with its name, its id or an XPath" + (list.map { "; \($0)" } ?? ""))
    case .named(let name):
      if let form = forms.first(where: { $0[attribute: "name"] == name || $0[attribute: "id"] == name }) { return form }
      throw FormMistake(
        message: "the page has no form `\(name)`",
        help: Suggestion.nearest(to: name, in: names).map { "it has `\($0)`" } ?? list
          ?? "its forms have neither names nor ids: write `form:` with an XPath")
    case .path(let path):
      let found: [MarkupNode]
      do throws(XPathError) {
        found = try page.document.select(path.text).nodes
      } catch {
        if Computation.hasEnded { throw .outOfTime }
        throw FormMistake(message: "`\(path.text)` can't be evaluated: \(error.detail)")
      }
      guard let first = found.first else { throw FormMistake(message: "`\(path.text)` selects nothing on the page", help: list) }
      // If the path selects a field or button, its form is used.
      if let form = forms.first(where: { $0 == first }) ?? known.owner(of: first) { return form }
      throw FormMistake(message: "`\(path.text)` selects <\(first.name)>, which is not a form", help: list)
    }
  }

  private static func name(of form: MarkupNode) -> String? {
    [form[attribute: "name"], form[attribute: "id"]].compactMap(\.self).first { !$0.isEmpty }
  }

  /// Returns the button that is pressed: the button with the given name, value or label, or the first enabled button if `wanted` is nil. An
  /// empty text means that no button is pressed; then the result is nil.
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
  /// Returns the nodes that an XPath expression selects. The syntax of the expression has already been checked.
  func nodes(_ expression: String) throws(FormMistake) -> [MarkupNode] {
    do throws(XPathError) {
      return try document.select(expression).nodes
    } catch {
      if Computation.hasEnded { throw .outOfTime }
      throw FormMistake(message: "the page can't be searched for forms: \(error.detail)")
    }
  }
}
