public import GarlandDiagnostics

/// `submit:`: a form in an earlier step's response, which is filled in and sent as a browser does.
public struct SubmitTemplate: Sendable {
  /// How the form is selected.
  public enum Form: Sendable {
    /// The only form of the page.
    case only
    /// The form with this name or id.
    case named(String)
    /// The first form that an XPath selects.
    case path(XPath)
  }

  /// The value of a field.
  public enum FieldValue: Sendable {
    /// A text; a list for a field with several values; `true` or `false` for a checkbox; null to omit the field.
    case value(ValueTemplate)
    /// A file, or bytes with a file name, for a file field.
    case file(PartTemplate)
  }

  /// A field that is filled in.
  public struct Field: Sendable {
    /// The field's name in the form.
    public let name: Template
    /// The value of the field.
    public let value: FieldValue
    /// The place of the value.
    public let range: SourceRange
  }

  /// The ordinal of the step whose response contains the form.
  public let from: Int
  /// The id of that step.
  public let fromID: Located<String>
  /// How the form is selected.
  public let form: Form
  /// The place of the form's selection; without one, the place of `submit`.
  public let formRange: SourceRange
  /// The fields that are filled in; all other fields are sent with their values in the page.
  public let fields: [Field]
  /// The name, value or text of the button that is pressed. If nil, it is the form's first button; if empty, no button.
  public let button: Located<String>?
}
