public import GarlandDiagnostics

/// The settings for submitting a form, from the key `submit:`. The form comes from the response of an earlier step, and is filled in and
/// sent as a browser would do it.
public struct SubmitTemplate: Sendable {
  /// The way in which the form is selected in the page.
  public enum Form: Sendable {
    /// The page has only one form, which is selected.
    case only
    /// The form with the given name or id is selected.
    case named(String)
    /// The first form that the given XPath selects.
    case path(XPath)
  }

  /// The value of a form field that is filled in.
  public enum FieldValue: Sendable {
    /// A value that fits the kind of the field: text for a text field, a list for a field with several values, `true` or `false` for a
    /// checkbox. A field with the value null is not sent.
    case value(ValueTemplate)
    /// The content for a file field of the form: a file, or bytes with a file name.
    case file(PartTemplate)
  }

  /// A form field that is filled in.
  public struct Field: Sendable {
    /// The field's name in the form.
    public let name: Template
    /// The value of the field.
    public let value: FieldValue
    /// The source range of the field's value in the document.
    public let range: SourceRange
  }

  /// The ordinal (index in the document) of the step whose response contains the form.
  public let from: Int
  /// The id of the step whose response contains the form.
  public let fromID: Located<String>
  /// The way in which the form is selected in the page.
  public let form: Form
  /// The source range of the form's name or XPath. If the document contains neither, the source range of `submit`.
  public let formRange: SourceRange
  /// The fields that are filled in. All other fields of the form are sent with the values that they have in the page.
  public let fields: [Field]
  /// The name, value or text of the button that is pressed. If nil, the first button of the form is pressed; if empty, no button is
  /// pressed.
  public let button: Located<String>?
}

extension SubmitTemplate: StepKind {
  static var key: String? { "submit" }
  static var isAddressed: Bool { false }

  var place: SourceRange? { formRange }
  var sentFiles: [Template] {
    fields.compactMap { field -> Template? in
      if case .file(let part) = field.value, case .file(let file, _) = part.content { file.path } else { nil }
    }
  }
}
