import GarlandJSON

/// A value from its text, for tables of tests.
func json(_ text: String) throws -> JSONValue {
  try JSONValue(parsing: text)
}
