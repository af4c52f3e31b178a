import GarlandText
import GarlandTransfer

/// A control (field or button) of an HTML form, with its current value.
struct FormControl {
  enum Kind: Hashable {
    /// A control whose value is a single text, such as `text`, `hidden`, `email` or `date`.
    case text
    case textArea
    case checkbox
    case radio
    case select(isMultiple: Bool)
    case file(isMultiple: Bool)
    case submit
    case image
    /// A button that does not submit the form.
    case button
  }

  /// An `<option>` of a `<select>` element.
  struct Option {
    let value: String
    let label: String
    let isDisabled: Bool
    var isSelected: Bool
  }

  let kind: Kind
  let name: String
  let isDisabled: Bool
  /// The text on a button.
  let label: String
  var value: String
  /// Whether a checkbox or radio button is checked.
  var isChecked: Bool
  var options: [Option]
  /// The files that are uploaded by a file field.
  var files: [MultipartFormData.Part] = []
  /// Whether the field is omitted when the form is sent, because the document sets the field to null.
  var isLeftOut = false
  /// The URL in the attribute `formaction` of a button, which replaces the form's own `action`.
  let action: String?
  let method: String?
  let encoding: String?

  var isButton: Bool { kind == .submit || kind == .image }

  /// Reads a form control. Returns nil if the node is not a form control.
  init?(_ node: MarkupNode) {
    let type = node[attribute: "type"]?.lowercased() ?? ""
    switch node.name.lowercased() {
    case "input":
      switch type {
      case "checkbox": kind = .checkbox
      case "radio": kind = .radio
      case "file": kind = .file(isMultiple: node[attribute: "multiple"] != nil)
      case "submit": kind = .submit
      case "image": kind = .image
      case "button", "reset": kind = .button
      default: kind = .text
      }
    case "button": kind = type == "button" || type == "reset" ? .button : .submit
    case "select": kind = .select(isMultiple: node[attribute: "multiple"] != nil)
    case "textarea": kind = .textArea
    default: return nil
    }
    name = node[attribute: "name"] ?? ""
    isDisabled = node[attribute: "disabled"] != nil || Self.isInDisabledFieldset(node)
    isChecked = node[attribute: "checked"] != nil
    options = []
    let given = node[attribute: "value"]
    switch kind {
    case .checkbox, .radio: value = given ?? "on"
    case .textArea:
      // Browsers remove a line break directly after the tag (HTML, 13.2.6.4.7).
      let text = node.text
      value = text.hasPrefix("\n") ? String(text.dropFirst()) : text
    default: value = given ?? ""
    }
    label = (node.name.lowercased() == "button" ? node.text : given ?? "").trimmed
    action = node[attribute: "formaction"]
    method = node[attribute: "formmethod"]
    encoding = node[attribute: "formenctype"]
    if case .select(let isMultiple) = kind { options = Self.options(of: node, isMultiple: isMultiple) }
  }

  /// Returns the options of a select element (HTML, section 4.10.10).
  ///
  /// - The label and the value of an option come from its attributes `label` and `value`. Without an attribute, they are the text of the
  ///   option with collapsed white space.
  /// - If only one option can be selected, the last option with the attribute `selected` is selected. Without such an option, the first
  ///   option that is not disabled is selected.
  private static func options(of node: MarkupNode, isMultiple: Bool) -> [Option] {
    var result: [Option] = []
    for element in node.elements {
      let isGroup = element.name.lowercased() == "optgroup"
      let isGroupDisabled = isGroup && element[attribute: "disabled"] != nil
      for option in isGroup ? element.elements : [element] where option.name.lowercased() == "option" {
        let text = option.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        result.append(
          Option(
            value: option[attribute: "value"] ?? text, label: option[attribute: "label"] ?? text,
            isDisabled: isGroupDisabled || option[attribute: "disabled"] != nil, isSelected: option[attribute: "selected"] != nil))
      }
    }
    guard !isMultiple else { return result }
    let chosen = result.lastIndex(where: \.isSelected) ?? result.firstIndex { !$0.isDisabled }
    for index in result.indices { result[index].isSelected = index == chosen }
    return result
  }

  /// Returns whether a control is disabled because an enclosing `fieldset` is disabled. Controls in the first `legend` of that fieldset are
  /// excepted (HTML, section 4.10.19.5).
  private static func isInDisabledFieldset(_ node: MarkupNode) -> Bool {
    var child = node
    while let parent = child.parent {
      if parent.name.lowercased() == "fieldset", parent[attribute: "disabled"] != nil,
        parent.elements.first(where: { $0.name.lowercased() == "legend" }) != child
      {
        return true
      }
      child = parent
    }
    return false
  }
}
