import GarlandTransfer
import GarlandWorkflow

extension URLEncodedParameters {
  /// Creates the encoding of parameters from the options that a document sets.
  init(_ options: ParametersTemplate.Options) {
    self.init()
    destination =
      switch options.destination {
      case .method: .methodDependent
      case .query: .query
      case .body: .body
      }
    arrays =
      switch options.arrays {
      case .brackets: .brackets
      case .none: .noBrackets
      case .index: .indexInBrackets
      }
    booleans = options.booleans == .numeric ? .numeric : .literal
    spaces = options.spaces == .percent ? .percentEscaped : .plusReplaced
    nulls =
      switch options.nulls {
      case .dropKey: .dropKey
      case .dropValue: .dropValue
      case .null: .nullAsString
      }
    sortsKeys = options.sortsKeys
  }
}
