import GarlandDiagnostics

/// The messages for mistakes in texts that may contain secrets: a secrets file, and a value on the command line.
///
/// A parser's message quotes the text, and a secret may be in any part of that text: in an alias, a tag, an anchor or a key. Therefore each
/// diagnostic code has a fixed message instead.
enum SecretsFileWords {
  /// Returns a diagnostic that quotes no text of the secrets file. Its message contains the line and column of the mistake.
  static func withoutSource(_ diagnostic: Diagnostic, of name: String) -> Diagnostic {
    withoutSource(diagnostic, of: name, ofFile[diagnostic.code.rawValue] ?? sentence(for: diagnostic.code))
  }

  /// Returns a copy of a diagnostic about a value that was set on the command line. The copy does not quote the value, which may be a
  /// secret.
  static func withoutSource(_ diagnostic: Diagnostic, ofValue name: String) -> Diagnostic {
    withoutSource(diagnostic, of: name, sentence(for: diagnostic.code))
  }

  private static func withoutSource(_ diagnostic: Diagnostic, of name: String, _ sentence: String) -> Diagnostic {
    let place = diagnostic.range.map { "\($0)" } ?? name
    return Diagnostic(diagnostic.code, severity: diagnostic.severity, "\(place): \(sentence)", at: nil)
  }

  private static func sentence(for code: DiagnosticCode) -> String {
    sentences[code.rawValue] ?? "the text can't be read as YAML: probably a quote, a bracket or a brace is missing"
  }

  /// The messages for mistakes in secrets files, by diagnostic code. Mistakes in values on the command line have more general messages.
  private static let ofFile = [
    "wrong-type": "a secrets file has a text for each name, and nothing else",
    "nested-too-deep": "a secrets file has a text for each name, and nothing else",
    "invalid-key": "the name of a secret must be text",
    "several-documents": "a secrets file has only one YAML document: another begins here",
    "too-many-errors": "the rest of the file was not checked",
  ]

  private static let sentences = [
    "invalid-key": "a name must be text",
    "nested-too-deep": "lists and mappings are nested too deeply",
    "several-documents": "the value has only one YAML document: another begins here",
    "too-many-errors": "the rest was not checked",
    "bad-name": "the name is not valid: a name has letters, digits, `_` and `-`, and begins with a letter or `_`",
    "duplicate-key": "a name appears twice",
    "bad-json": "the text is not JSON",
    "bad-dotenv": "expected `NAME=VALUE`; a value that begins with a quote must end with the same quote",
    "invalid-encoding": "the text is neither UTF-8 nor UTF-16, or has a character that is not allowed",
    "binary-file": "the file is not text",
    "file-too-large": "the file is too large",
    "tab-indentation": "YAML needs spaces here, not a tab",
    "invalid-indentation": "no block above has the indentation of this line",
    "missing-space": "`NAME:` needs a space after it",
    "invalid-escape": "`\\` and this character are not an escape; in single quotes, `\\` is an ordinary character",
    "unbalanced-quotes": "a quote is never closed",
    "unquoted-expression": "a value with `${` needs quotes here",
    "unquoted-brackets": "a value with brackets needs quotes",
    "unquoted-colon": "a value with `: ` in it needs quotes",
    "unquoted-indicator": "a value that begins with a special character of YAML needs quotes",
    "cut-by-comment": "a value with ` #` in it needs quotes",
    "undefined-alias": "a value that begins with `*` is an alias in YAML: put the value in quotes",
    "recursive-alias": "a value that begins with `*` is an alias in YAML: put the value in quotes",
    "alias-expansion": "a value that begins with `*` is an alias in YAML: put the value in quotes",
    "invalid-merge": "the key `<<` merges mappings in YAML: put the key in quotes",
    "unknown-tag": "a value that begins with `!` is a tag in YAML: put the value in quotes",
    "invalid-tag": "a value that begins with `!` is a tag in YAML: put the value in quotes",
  ]
}
