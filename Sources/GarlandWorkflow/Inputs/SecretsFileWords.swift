import GarlandDiagnostics

/// The messages about a secrets file. A parser's message quotes the text, and a secret may be in any part of that text: in an alias, a tag,
/// an anchor or a key. Therefore each code has a fixed sentence instead.
enum SecretsFileWords {
  /// Returns the diagnostic with its place in words and without the file's text.
  static func withoutSource(_ diagnostic: Diagnostic, of name: String) -> Diagnostic {
    let place = diagnostic.range.map { "\($0)" } ?? name
    return Diagnostic(diagnostic.code, severity: diagnostic.severity, "\(place): " + sentence(for: diagnostic.code), at: nil)
  }

  private static func sentence(for code: DiagnosticCode) -> String { sentences[code.rawValue] ?? "this can't be read as YAML" }

  private static let sentences = [
    "bad-name": "this is not a name: a name has letters, digits, `_` and `-`, and begins with a letter or `_`",
    "wrong-type": "a secrets file has a text for each name, and nothing else",
    "duplicate-key": "a name is here for the second time",
    "bad-json": "this is not JSON",
    "bad-dotenv": "expected `NAME=VALUE`; a value that begins with a quote must end with the same quote",
    "invalid-encoding": "this is neither UTF-8 nor UTF-16, or a character that no text has",
    "binary-file": "this is no text",
    "file-too-large": "the file is too large",
    "tab-indentation": "YAML wants spaces here, and no tab",
    "invalid-indentation": "this line fits none of those above it",
    "missing-space": "`NAME:` needs a space behind it",
    "invalid-key": "the name of the value of a secret must be text",
    "invalid-escape": "`\\` is before a character that is no escape; in single quotes, it is an ordinary character",
    "unbalanced-quotes": "a quote has no counterpart",
    "unquoted-expression": "a value with `${` needs quotes here",
    "unquoted-brackets": "a value with brackets needs quotes",
    "unquoted-colon": "a value with `: ` in it needs quotes",
    "unquoted-indicator": "a value that begins with a character of YAML's own needs quotes",
    "cut-by-comment": "a value with ` #` in it needs quotes",
    "undefined-alias": "YAML takes a value that begins with `*` for an alias: it needs quotes",
    "recursive-alias": "YAML takes a value that begins with `*` for an alias: it needs quotes",
    "alias-expansion": "YAML takes a value that begins with `*` for an alias: it needs quotes",
    "invalid-merge": "YAML takes `<<` for a key that merges mappings: it needs quotes",
    "unknown-tag": "YAML takes a value that begins with `!` for a tag: it needs quotes",
    "invalid-tag": "YAML takes a value that begins with `!` for a tag: it needs quotes",
    "nested-too-deep": "a secrets file has a text for each name, and nothing else",
    "too-many-errors": "the rest of the file was not checked",
  ]
}
