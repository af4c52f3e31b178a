public import GarlandDiagnostics

/// `submit:`: a form of an earlier step's response, filled in and sent as a browser does.
public struct SubmitTemplate: Sendable {
  /// The selection of a form.
  public enum Form: Sendable {
    /// The only one.
    case only
    /// The one with this name or id.
    case named(String)
    /// The first one that an XPath selects.
    case path(XPath)
  }

  /// The value of a field.
  public enum FieldValue: Sendable {
    /// Text; a list for a field that has several; `true` and `false` for a checkbox; null so that it is not sent.
    case value(ValueTemplate)
    /// A file, or bytes with a name, for a file field.
    case file(PartTemplate)
  }

  /// A field that is filled in.
  public struct Field: Sendable {
    /// Its name in the form.
    public let name: Template
    /// The value of the field.
    public let value: FieldValue
    /// The place of the value.
    public let range: SourceRange
  }

  /// The step whose response has the form, by its ordinal.
  public let from: Int
  /// Its id.
  public let fromID: Located<String>
  /// The selection of the form.
  public let form: Form
  /// The place of the selection; the whole of `submit` without one.
  public let formRange: SourceRange
  /// The fields that are filled in; all others are sent as they are.
  public let fields: [Field]
  /// The name, value or text of the button that is pressed; without one the first. Empty for none.
  public let button: Located<String>?
}
