import GarlandJSON

/// The routes of the OAuth provider except those of `OAuthRoutes`, and the control routes with which a test inspects and changes the
/// provider.
enum ProviderRoutes {
  static let routes =
    MetadataRoutes.routes + AuthorizeRoutes.routes + DeviceRoutes.routes + TokenInspectionRoutes.routes + [
      Route("GET", "/_sandbox/oauth", "The counts of the provider's requests, and its settings", control: look),
      Route(
        "POST", "/_sandbox/oauth",
        "Changes settings: ?\(ProviderSettings.names.joined(separator: "=&"))=; ?revoke=access|refresh|all revokes; ?counts=0 forgets",
        control: change),
    ]

  static let look: Route.ControlHandler = { (request, server) throws(Refusal) in
    .json(try server.withTenant(request.tenant) { tenant throws(Refusal) in json(tenant) })
  }

  static let change: Route.ControlHandler = { (request, server) throws(Refusal) in
    .json(
      try server.withTenant(request.tenant) { tenant throws(Refusal) in
        for (name, value) in request.query.pairs + (request.form?.pairs ?? []) {
          switch (name, value) {
          case ("revoke", "access"): tenant.tokens.revokeAllAccess()
          case ("revoke", "refresh"): tenant.tokens.revokeAllRefresh()
          case ("revoke", "all"):
            tenant.tokens.revokeAllAccess()
            tenant.tokens.revokeAllRefresh()
          case ("counts", "0"): tenant.provider.forgetCounts()
          default: try tenant.provider.settings.set(name, value)
          }
        }
        return json(tenant)
      })
  }

  private static func json(_ tenant: TenantState) -> JSONValue {
    let counts = tenant.provider.counts.sorted { $0.key < $1.key }.map { ($0.key, JSONValue($0.value)) }
    return [
      "counts": .object(JSONObject(counts)), "reused": JSONValue(tenant.tokens.reused), "refreshed": JSONValue(tenant.tokens.refreshed),
      "settings": tenant.provider.settings.json,
    ]
  }
}
