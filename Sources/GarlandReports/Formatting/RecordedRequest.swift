import GarlandResults

extension StepIdentity {
  /// Returns whether a step with this action sends a request, if its JSON report has no member `request`.
  ///
  /// Older reports never have the member. At that time, only calls and listening steps contacted no server. A request whose method is `call`
  /// or `listen` has the same action as these, so a report has the member for it.
  static func isRequest(action: String) -> Bool { !action.hasPrefix("call ") && !action.hasPrefix("listen ") }
}
