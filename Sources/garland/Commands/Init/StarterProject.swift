import GarlandWorkflow

/// The files of a small project that `garland init` writes. Garland's tests run this project.
enum StarterProject {
  static let files: [(path: String, text: String)] = [
    (Project.fileName, project), ("shared/session.yaml", session), ("tests/account.yaml", account), ("tests/books.yaml", books),
  ]

  /// The path of the project file, relative to the folder of the project.
  static let path = Project.fileName
  static let ignorePath = ".gitignore"

  /// The lines for `.gitignore`. With these lines, Git ignores `.env` files, whose values belong to this machine, and files that runs
  /// write.
  static let ignored = [".env", ".env.*", "!.env.example", "report.html", "report.xml", "result.json"]

  private static let project = #"""
    # Settings for all documents of this folder. Try it now:       garland run --sandbox
    # Then set `base_url` of `staging` to your own API:            garland run --profile staging
    name: My API

    # Values that are never printed. They come from the environment, from .env files beside this file, --secret NAME=VALUE or --secrets-file FILE.
    secrets: [API_PASSWORD]

    vars:
      user: alice

    # Every step of every document starts from these.
    defaults:
      headers: { Accept: application/json }
      timeout: 10s

    # Every document can use the steps of these: ${session.login.token}.
    use: { session: shared/session.yaml }

    # The environments. `garland env --profile staging` shows what is set, and where.
    default_profile: local
    profiles:
      local:
        base_url: ${env.GARLAND_SANDBOX ?? 'http://127.0.0.1:8080'}
      staging:
        base_url: https://staging.example.com
        # confirm: true          # asks before a run sends anything

    # Defaults for the options of `garland run`.
    run:
      paths: tests

    """#

  private static let session = #"""
    # Logs in once for a whole run, and logs out when no document needs the login any more.
    garland: 1
    name: Session

    steps:
      login:
        post: /login
        json: { user: "${vars.user}", password: "${secrets.API_PASSWORD ?? 'wonderland'}" }
        extract:
          token: { json: $.token, secret: true }

      logout:
        post: /logout
        bearer: ${login.token}
        cleanup: login

    """#

  private static let account = #"""
    garland: 1
    name: Account

    steps:
      me:
        get: /me
        bearer: ${session.login.token}
        expect:
          json: { $.user: "${vars.user}" }

      wrong_password:
        post: /login
        json: { user: "${vars.user}", password: wrong }
        expect: { status: 401 }

    """#

  private static let books = #"""
    # A step starts when the steps that it names have ended. The order in the file has no effect; a step that names no other starts at once.
    garland: 1
    name: Books

    defaults:
      bearer: ${session.login.token}

    steps:
      create:
        post: /books
        json: { title: Dune, author: Frank Herbert, price: 9.50 }
        expect: { status: 201 }
        extract:
          id: $.id

      read:
        get: /books/${create.id}
        expect:
          json:
            $.title: Dune
            $.price: { gte: 1, lt: 100 }

      remove:                      # runs last, even after failures, if there is something to clean up
        delete: /books/${create.id}
        cleanup: create
        expect: { status: 204 }

    """#
}
