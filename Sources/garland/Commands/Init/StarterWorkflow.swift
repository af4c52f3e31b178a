import GarlandWorkflow

/// The workflow file with explanatory comments that `garland init FILE` creates. The tests run this file.
struct StarterWorkflow {
  /// The command that runs the workflow file.
  let command: String
  /// The content of the workflow file.
  let text: String

  /// Creates the content of the workflow file at `path`, and the command that runs this file. In a project that sets a base URL, the
  /// workflow file contains no settings.
  init(at path: String) {
    let system = SystemFiles()
    let directory = ProcessEnvironment.currentDirectory()
    let folder = Workspace.folder(of: path.hasPrefix("/") ? path : directory + "/" + path)
    let files = FileAccess(system, roots: [FileAccess.projectRoot(of: folder, in: system), directory])
    let found = ProjectFinder(.nearest, files: files, workingDirectory: directory).project(of: folder)
    guard let project = found, project.setsBaseURL else {
      command = "garland run \(path) --sandbox"
      text = Self.head(path, command) + Self.steps
      return
    }
    let usesSandbox = String(decoding: project.file.bytes, as: UTF8.self).contains("GARLAND_SANDBOX")
    command = "garland run \(path)" + (usesSandbox ? " --sandbox" : "")
    text = Self.head(path, command, projectFile: project.file.name) + Self.steps
  }

  private static func head(_ path: String, _ command: String) -> String {
    #"""
    # A Garland workflow. Try it now:    \#(command)
    # Then point `base` at your own API: garland run \#(path) --var base=https://api.example.com
    garland: 1
    name: My API

    vars:
      base: ${env.GARLAND_SANDBOX ?? 'http://127.0.0.1:8080'}

    # Values that are never printed. They come from the environment, --secret NAME=VALUE or --secrets-file FILE.
    secrets: [API_PASSWORD]

    # Every step starts from these.
    defaults:
      base_url: ${vars.base}
      headers: { Accept: application/json }
      timeout: 10s


    """#
  }

  private static func head(_ path: String, _ command: String, projectFile: String) -> String {
    """
    # A Garland workflow. Try it: \(command)
    # Its base URL comes from \(projectFile); `garland env \(path)` shows which values it has.
    garland: 1
    name: My API

    # Values that are never printed. They come from the environment, --secret NAME=VALUE or --secrets-file FILE.
    secrets: [API_PASSWORD]


    """
  }

  private static let steps = #"""
    # A step starts when the steps that it names have ended. The order in the file has no effect; a step that names no other starts at once.
    steps:
      health:
        get: /health
        expect:
          status: 200              # without it: any 2xx
          json:
            $.status: ok           # JSONPath: a value, or predicates such as { type: string, length: { gt: 2 } }
          time: { lt: 5s }

      login:
        post: /login
        json:
          user: alice
          password: ${secrets.API_PASSWORD ?? 'wonderland'}
        extract:
          token: { json: $.token, secret: true }

      create:                      # runs after login, because it uses login.token
        post: /books
        bearer: ${login.token}
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
        bearer: ${login.token}
        cleanup: create
        expect: { status: 204 }

    """#
}
