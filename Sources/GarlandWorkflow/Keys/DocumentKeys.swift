/// The keys at the top level of a document.
enum RootKey: String, DocumentKey {
  case garland, name, description, order, vars, secrets, profiles, defaults, auth, inputs, outputs, use, resources, reachability, steps

  static let table = KeyTable<RootKey>("a workflow", page: "documents")

  var info: KeyInfo {
    switch self {
    case .garland: KeyInfo(.oneOf(["1"]), "The version of the format; required.", "1")
    case .name: KeyInfo(.name, "The name of the workflow in reports. Default: the file's name.", "Bookshop smoke test")
    case .description: KeyInfo(.name, "The purpose of the workflow.", "Creates a book and reads it back")
    case .order:
      KeyInfo(
        .oneOf(Workflow.Order.allCases.map(\.rawValue)),
        "`file` makes each step also wait for the one above it to end. Default: `dependencies`, nothing but what steps reference.", "file")
    case .vars:
      KeyInfo(
        .mapping(.anything), "Values by name, used as `${vars.NAME}`. A profile, `--vars-file` and `--var` override them, in this order.",
        "{ base: 'http://127.0.0.1:8080' }")
    case .secrets:
      KeyInfo(
        SecretKey.declarations,
        "Names of secrets, used as `${secrets.NAME}`: from the environment, `--secret` or `--secrets-file`, or from the file that a mapping names. Never printed.",
        "[SHOP_PASSWORD]")
    case .profiles:
      KeyInfo(
        .mapping(.either([.table("profile"), .null])), "Sets of variables and settings; `--profile` chooses one.",
        "{ staging: { vars: { user: bob }, base_url: 'https://staging.example.com' } }")
    case .defaults: KeyInfo(.table("defaults"), "Settings that every step inherits.", "{ base_url: '${vars.base}', timeout: 30s }")
    case .inputs:
      KeyInfo(
        .mapping(.either([.table("input"), .text, .number, .boolean, .list(.anything), .null])),
        "Values that a `call` passes to the document, used as `${inputs.NAME}`; a value in place of a mapping is its default.",
        "{ tenant: { type: string }, size: 10 }")
    case .outputs: KeyInfo(.mapping(.anything), "Values that a `call` of the document returns.", "{ user_id: '${create.id}' }")
    case .use:
      KeyInfo(
        .mapping(.name), "Other documents by the names that they get here: `${shop.login.token}` is what step `login` of `shop` extracts.",
        "{ shop: ./shared/auth.yaml }")
    case .resources:
      KeyInfo(
        .mapping(.plainCount(1)), "The number of steps that may use a resource at once, by its name; steps name it in `uses`.", "{ db: 1 }")
    case .reachability:
      KeyInfo(.table("reachability"), "Whether hosts are checked before anything is sent.", "{ preflight: true, wait: 60s }")
    case .auth:
      KeyInfo(
        .mapping(.table("auth")), "Ways to authenticate, by name: steps write `auth: NAME`.",
        "{ shop: { oauth2: { grant: client_credentials, token_url: /oauth/token, client_id: ci } } }")
    case .steps:
      KeyInfo(
        .filledMapping(.table("step")), "The steps by id. They are ordered by what they reference, not by their place.",
        "{ health: { get: /health } }")
    }
  }
}

/// The keys of the mapping that describes an input.
enum InputKey: String, DocumentKey {
  case type
  case defaultValue = "default"
  case required, description

  static let table = KeyTable<InputKey>("an input")

  var info: KeyInfo {
    switch self {
    case .type: KeyInfo(.oneOf(JSONTypeName.allCases.map(\.rawValue)), "The type of the value. Default: any.", "string")
    case .defaultValue: KeyInfo(.anything, "The value of the input if the caller gives none.", "10")
    case .required: KeyInfo(.flag, "Whether the caller must give the value. Default: true, unless the input has a default.", "false")
    case .description: KeyInfo(.name, "The purpose of the input.", "The tenant to set up")
    }
  }
}
