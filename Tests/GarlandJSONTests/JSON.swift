import GarlandJSON

/// Returns the value that a JSON text contains, for tables of tests.
func json(_ text: String) throws -> JSONValue {
  try JSONValue(parsing: text)
}
