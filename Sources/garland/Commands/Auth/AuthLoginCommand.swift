import ArgumentParser
import GarlandAuth
import GarlandDiagnostics
import GarlandRunner
import Glibc

struct AuthLoginCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "login",
    abstract: "Fetch a token and keep it for later runs.",
    discussion: """
      Examples:
        garland auth login shop smoke.yaml
        garland auth login shop smoke.yaml --no-browser --within 2m

      For an authorization code, the provider's page opens in your browser
      ($BROWSER, or the browser of the desktop) and redirects to a port of this
      machine. For a device code, open the shown URL in any browser and enter the
      code. Other grants need no user.
      """)

  @OptionGroup var arguments: AuthArguments
  @Flag(name: .customLong("no-browser"), help: "Show the URL of the page without opening it.") var noBrowser = false
  @Option(
    name: .long,
    help: ArgumentHelp(
      "The time limit for the login, such as 2m. Default: 5m; for a device, the lifetime of its code.", valueName: "duration"))
  var within: DurationArgument?

  func run() async throws {
    let patience = within?.duration ?? .seconds(300)
    let browser = Browser(environment: ProcessEnvironment.current)
    let opens = !noBrowser
    let loopback: RunTokens.Browser = { redirect, _ in
      LoopbackAgent(redirectURI: redirect, patience: patience) { url in
        let isOpen = opens && browser.open(url)
        let words = isOpen ? "Your browser has opened this page; log in there" : "Open this page to log in"
        Self.tell("\(words):\n\n  \(DisplayText.visible(url))\n")
      }
    }
    let session = try AuthSession(arguments, browser: loopback, patience: within?.duration) { device in
      Self.tell(
        "Open \(DisplayText.visible(device.verificationURI)) and enter the code\n\n  \(DisplayText.visible(device.userCode))\n")
      if opens { _ = browser.open(device.completeURI ?? device.verificationURI) }
    }
    try await session.carryOut { auth in
      let tokens = try await auth.logIn()
      try session.workspace.show("\(session.name): logged in\(TokenSummary(tokens, now: AuthEnvironment.systemTime()).text)\n")
    }
  }

  /// Shows text that the user needs in order to continue, even with `--quiet`. The text is not masked, since the user may see all of it.
  @Sendable private static func tell(_ text: String) {
    // If the text cannot be shown, the login ends when its time limit is exceeded.
    try? CommandOutput.writeAll(Array((text + "\n").utf8), to: STDERR_FILENO)
  }
}
