/// Every route of the sandbox, in the order of the index.
enum AllRoutes {
  static let routes: [Route] =
    IndexRoutes.routes + EchoRoutes.routes + UploadRoutes.routes + StatusRoutes.routes + CookieRoutes.routes + RedirectRoutes.routes
    + AuthRoutes.routes + OAuthRoutes.routes + ProviderRoutes.routes + OAuth1Routes.routes + TimingRoutes.routes + StreamRoutes.routes
    + BytesRoutes.routes
    + CachingRoutes.routes
    + FormatRoutes.routes
    + JobRoutes.routes + CallbackRoutes.routes + ListRoutes.routes + CounterRoutes.routes + BookRoutes.routes + ReviewRoutes.routes
    + OrderRoutes.routes
    + FaultRoutes.routes
}
