/// The file with comments that `garland init` writes. The tests run it.
enum StarterWorkflow {
  static let text = #"""
    # A Garland workflow. Try it now:   garland run garland.yaml --sandbox
    # Then point `base` at your own API: garland run garland.yaml --var base=https://api.example.com
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

    # A step starts the moment the steps it names have ended: file order means nothing, and what names nothing starts at once.
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

      create:                      # runs after login, because it names it
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

      remove:                      # runs last, whatever happened, if there is something to clean up
        delete: /books/${create.id}
        bearer: ${login.token}
        cleanup: create
        expect: { status: 204 }

    """#
}
