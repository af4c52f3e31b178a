# The Debian packages that a build needs; TEST_PACKAGES has those that the tests need besides.
BUILD_PACKAGES := libcurl4-openssl-dev libyaml-dev libpcre2-dev libpsl-dev libssl-dev zlib1g-dev libbrotli-dev libzstd-dev binutils pkg-config ca-certificates
# The libraries that only the archive has inside, and the programs that make the packages.
RELEASE_PACKAGES := libnghttp2-dev libidn2-dev libunistring-dev libstdc++-12-dev dpkg-dev lowdown nginx-light openssl gcc libc6-dev python3 python3-venv
RELEASE_TEST_PACKAGES := mmdebstrap bubblewrap lintian devscripts mandoc man-db bsdextrautils podman crun python3-venv curl systemd groovy default-jre-headless
TEST_PACKAGES := nginx-light python3-httpbin gunicorn openssl curl libxml2-utils iproute2 util-linux mount python3-pyftpdlib apache2-bin libapache2-mod-auth-gssapi krb5-kdc krb5-admin-server krb5-user zstd valgrind squid winbind microsocks python3-venv
# Chromium for the HTML report, Graphviz for drawings of plans.
TEST_PACKAGES += chromium fonts-dejavu-core graphviz

# A scheduler for Tests/Scale, which needs root.
SCALE_PACKAGES := slurmctld slurmd slurm-client munge

# The tests in four groups, one after the other: those that compute, those that wait for servers, those that run workflows, and all
# others. The tests of a group run at once in one process, and those that wait would find their time limits over while the others compute.
COMPUTING := ^(Garland(Text|Diagnostics|YAML|JSON|Crypto|Workflow|Planner|Results|Reports|Import)|FuzzTargets)Tests\.
NETWORKING := ^Garland(Transfer|Networking|Auth|Sandbox)Tests\.
RUNNING := ^GarlandRunnerTests\.

# An ordinary release build, linked as the system links: position-independent, libraries of the system, addresses read-only once they are relocated, and
# no path of this machine inside: debug information would contain the folder of the build, and so would the hash of each module, which only an incremental
# build needs. The Swift runtime is inside, since no system has it. Generic types are asked for directly: by their names, the runtime walks through all
# conformances at the start. Swift would export each public symbol, as for plug-ins; the list of the 27,000 names takes 2 MiB of memory, and 5 % of the
# time of a short run. `make release` builds the program of the archive in another way (Packaging/README.md).
RELEASE := swift build --configuration release --product garland --static-swift-stdlib --disable-local-rpath -debug-info-format none \
  -Xswiftc -file-prefix-map -Xswiftc $(CURDIR)=. -Xcc -ffile-prefix-map=$(CURDIR)=. \
  -Xswiftc -use-ld=lld -Xswiftc -Xfrontend -Xswiftc -disable-incremental-llvm-codegen \
  -Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors \
  $(addprefix -Xlinker ,-z relro -z now --no-export-dynamic --strip-debug)
GARLAND := .build/release/garland

.DEFAULT_GOAL := help
.PHONY: help demo build release test-release version addresses test test-deep library-use docs report-pictures format lint examples bench hotpath hotpath-update bench-networking sanitize soak fuzz install uninstall clean

help: ## List the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 20

# The tests need the same build, and it takes half as long as that of `make build`.
demo: ## Build Garland and run the quick start against the embedded sandbox
	@.ci/install $(BUILD_PACKAGES)
	swift build --product garland
	.build/debug/garland run examples/quickstart.yaml --sandbox

build: ## Build .build/release/garland, the command to use
	@.ci/install $(BUILD_PACKAGES)
	$(RELEASE)

# The released program has no checks for overlapping accesses (Packaging/program/build says what they take); `make build` and the tests have them.
release: ## Make dist/: archive, Debian package, container image, checksums, list of contents (PROFILE=file to use that profile again)
	@.ci/install $(BUILD_PACKAGES) $(RELEASE_PACKAGES)
	Packaging/release $(PROFILE)

test-release: ## Install and try what dist/ has, in fresh Debian systems and as an image (root)
	@.ci/install $(RELEASE_TEST_PACKAGES)
	Packaging/test/all

version: ## Set the version everywhere: make version VERSION=X.Y.Z
	Packaging/version $(VERSION)

addresses: ## Set where Garland is published: make addresses REPOSITORY=https://… IMAGE=HOST/NAME MAINTAINER="NAME <ADDRESS>"
	Packaging/publish-at "$(REPOSITORY)" "$(IMAGE)" "$(MAINTAINER)"

# The tests' packages are installed while the tests are built. pip compiles no bytecode: for Locust alone, that takes 8 s of CPU time, and Python compiles
# the few modules that the tests import.
test: ## Build once and run every test
	@.ci/install $(BUILD_PACKAGES) $(TEST_PACKAGES)
	(.ci/providers && .ci/providers scale && .ci/browser && .ci/schema-suite && .ci/har-schema) & fetching=$$!; \
	  swift build --build-tests && wait $$fetching
	.ci/test '$(COMPUTING)' '$(NETWORKING)' '$(RUNNING)'

test-deep: ## Run every test with all its random input, each example in 100 orders, pages of 10,000 and 100,000 steps in Chromium, the library by a tag, and shards on Slurm and as pods (root)
	GARLAND_DEEP=1 $(MAKE) test examples
	Tests/LibraryUse/run --tag
	@.ci/install $(SCALE_PACKAGES)
	@.ci/providers scale
	Tests/Scale/slurm .build/debug/garland
	.build/scale/bin/python Tests/Scale/indexed_job .build/debug/garland
	$(MAKE) hotpath

docs: ## Render the documentation of the libraries by DocC into .build/docs; any warning fails
	swift build --product garland
	.ci/docs

library-use: ## Compile each snippet of the networking library's pages as a user would, and run them against the sandbox
	swift build --product garland
	Tests/LibraryUse/run

report-pictures: ## Take the pictures for the documentation, with .build/debug/garland
	@.ci/install $(TEST_PACKAGES) poppler-utils
	@.ci/browser
	.ci/report-pictures

lint: ## Check the format, the sizes, the words, the links of the documentation, and the order of the folders
	swift format lint --strict --recursive --parallel Package.swift Sources Tests
	.ci/check-sizes
	.ci/check-links
	.ci/check-style
	.ci/embed-page --check
	@.ci/install $(BUILD_PACKAGES)
	swift build
	.ci/check-folders

format: ## Format the code in place
	swift format --in-place --recursive --parallel Package.swift Sources Tests

schema-suite: ## Validate by the official tests of JSON Schema, which the Python package `jsonschema` brings along
	@.ci/schema-suite
	swift test --filter OfficialSuite

# ThreadSanitizer knows the locks and continuations of Swift's libraries by Tests/Sanitizers/runtime.c only. Swift's own libraries are not instrumented; ours, NIO and the tests are.
SANITIZED := GarlandTransferTests|GarlandNetworkingTests|GarlandYAMLTests|GarlandJSONTests|GarlandAuthTests|GarlandCryptoTests
sanitize: ## Run the tests of networking, YAML and JSON under ThreadSanitizer and AddressSanitizer, with 10,000 transfers
	@.ci/install $(BUILD_PACKAGES) $(TEST_PACKAGES)
	.ci/sanitize thread '$(SANITIZED)'
	.ci/sanitize address '$(SANITIZED)'

soak: ## 10,000 transfers with random cancellations: no descriptor and no handle is left
	@.ci/install $(BUILD_PACKAGES)
	GARLAND_TRANSFERS=10000 swift test --filter '^GarlandTransferTests\.DescriptorTests'

fuzz: ## Fuzz documents, then expressions, 10 minutes each (FUZZ_SECONDS=600, FUZZ_TARGETS="documents expressions")
	GARLAND_FUZZ=1 swift build --configuration release --product fuzz --scratch-path .build/fuzz
	for target in $(FUZZ_TARGETS); do .ci/fuzz $$target $(FUZZ_SECONDS) || exit 1; done

FUZZ_SECONDS ?= 600
FUZZ_TARGETS ?= documents expressions

examples: ## Run every example with the binary that `make test` built
	.ci/examples .build/debug/garland

bench-networking: ## CPU per request of the networking library beside a bare C program on the same libcurl
	@.ci/install $(BUILD_PACKAGES) nginx-light openssl
	swift build --configuration release --package-path Benchmarks/networking --scratch-path .build/bench-networking
	$(CC) -O2 -Wall -Wextra Benchmarks/networking/bare.c -o .build/bench-networking/bare $$(pkg-config --cflags --libs libcurl)
	Benchmarks/networking/run.py .build/bench-networking/bare .build/bench-networking/release/NetworkingBenchmark --json .build/bench-networking/result.json

bench: build ## Measure beside a bare C program on libcurl, curl and Hurl (BENCH=--quick for a look)
	@.ci/install nginx-light openssl curl gcc libc6-dev python3
	swift build --configuration release --package-path Benchmarks/json --scratch-path .build/bench-json
	Benchmarks/bench.py $(BENCH)

hotpath: build ## Count the instructions of a step, and fail if they are 5 % more than in Benchmarks/results/hotpath.json
	@.ci/install valgrind python3
	Benchmarks/hotpath.py

hotpath-update: build ## Write what is counted to Benchmarks/results/hotpath.json
	@.ci/install valgrind python3
	Benchmarks/hotpath.py --update

# Which shell looks for its completions where, below `share`.
COMPLETIONS := bash:bash-completion/completions/garland zsh:zsh/site-functions/_garland fish:fish/vendor_completions.d/garland.fish

install: build ## Install the command (PREFIX=/usr/local) with its manual pages and shell completions
	@.ci/install lowdown
	install -D -m 755 $(GARLAND) "$(DESTDIR)$(PREFIX)/bin/garland"
	@for it in $(COMPLETIONS); do \
	  file="$(DESTDIR)$(PREFIX)/share/$${it#*:}"; echo "completions: $$file"; \
	  mkdir -p "$${file%/*}" && $(GARLAND) completions "$${it%%:*}" > "$$file" || exit 1; \
	done
	Packaging/manual $(GARLAND) "$(DESTDIR)$(PREFIX)/share/man"
	Packaging/documents "$(DESTDIR)$(PREFIX)/share/garland"
	@mkdir -p "$(DESTDIR)$(PREFIX)/share/doc" && ln -sfn ../garland "$(DESTDIR)$(PREFIX)/share/doc/garland"

uninstall: ## Take away what `make install` has put there (with the same PREFIX)
	rm -f "$(DESTDIR)$(PREFIX)/bin/garland"
	@for it in $(COMPLETIONS); do rm -f "$(DESTDIR)$(PREFIX)/share/$${it#*:}"; done
	rm -f "$(DESTDIR)$(PREFIX)"/share/man/man1/garland.1 "$(DESTDIR)$(PREFIX)"/share/man/man1/garland-*.1 "$(DESTDIR)$(PREFIX)"/share/man/man5/garland-language.5
	rm -rf "$(DESTDIR)$(PREFIX)/share/garland" "$(DESTDIR)$(PREFIX)/share/doc/garland"

PREFIX ?= /usr/local

clean: ## Remove what was built
	swift package clean
	rm -rf .build/archive dist
