/// The version of the command.
enum GarlandVersion {
  static let text = "0.1.0"
}
