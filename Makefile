# What a build needs from Debian, and what the tests run against besides.
BUILD_PACKAGES := libcurl4-openssl-dev libyaml-dev libpcre2-dev libpsl-dev libssl-dev zlib1g-dev libbrotli-dev libzstd-dev libmimalloc-dev binutils pkg-config ca-certificates
TEST_PACKAGES := nginx-light python3-httpbin gunicorn openssl curl libxml2-utils iproute2 util-linux mount python3-pyftpdlib apache2-bin libapache2-mod-auth-gssapi krb5-kdc krb5-admin-server krb5-user zstd valgrind squid winbind microsocks python3-venv
# Chromium for the HTML report, Graphviz for drawings of plans.
TEST_PACKAGES += chromium fonts-dejavu-core graphviz

# What computes, what waits for servers, what runs, and all else, one group after the other: the tests of a group run at once in one process, and those
# that wait would find their time limits over while the others compute.
COMPUTING := ^(Garland(Diagnostics|YAML|JSON|Crypto|Workflow|Planner|Reports|Import)|FuzzTargets)Tests\.
NETWORKING := ^Garland(Transfer|Networking|Auth|Sandbox)Tests\.
RUNNING := ^GarlandRunnerTests\.

# Where what stands in place of some libraries is written: see Linking/prepare.
LINKING = .build/linking$(addprefix -,$(CURL))
# `shared`: libcurl as a library that is opened, in place of which `make hotpath` puts another.
CURL :=
# Memory comes from mimalloc: most of it is small and taken and given back many times for a request, which costs twice as much with the C library's own.
# For a fast start: no relocation of the program itself, nothing exported, what runs at the start side by side, and Swift's types asked for directly rather
# than by name, for which the runtime would look through every conformance in the program. Accesses to one variable that overlap are looked for while the tests run,
# in every class, and not in this program, where looking takes one of forty instructions of a step.
RELEASE = PKG_CONFIG_PATH=$(CURDIR)/$(LINKING) swift build --configuration release --product garland --static-swift-stdlib --disable-local-rpath --omit-frame-pointers \
  -Xswiftc -use-ld=lld -Xswiftc -enforce-exclusivity=unchecked -Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors \
  -Xswiftc -Xfrontend -Xswiftc -function-sections -Xlinker --no-pie -Xlinker --no-export-dynamic -Xlinker --gc-sections -Xlinker --strip-$(STRIP) -Xlinker -L$(CURDIR)/$(LINKING) -Xlinker -lmimalloc
STRIP := all
# Where the profile is that the program is arranged by.
PROFILE := Profile
GARLAND := .build/release/garland

.DEFAULT_GOAL := help
.PHONY: help demo build profile test test-deep report-pictures format lint examples bench hotpath hotpath-update bench-networking sanitize soak fuzz install uninstall clean

help: ## List the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 20

demo: build ## Build Garland and run the quick start against the embedded sandbox
	$(GARLAND) run examples/quickstart.yaml --sandbox

build: ## Build .build/release/garland
	@.ci/install $(BUILD_PACKAGES)
	@Linking/prepare $(LINKING) $(CURL)
	flags=$$(Profile/flags use $(PROFILE)) && $(RELEASE) $$flags

test: ## Build once and run every test
	@.ci/install $(BUILD_PACKAGES) $(TEST_PACKAGES)
	@.ci/providers
	@.ci/browser
	@.ci/schema-suite
	swift build --build-tests
	swift test --skip-build --filter '$(COMPUTING)'
	swift test --skip-build --filter '$(NETWORKING)'
	swift test --skip-build --filter '$(RUNNING)'
	swift test --skip-build --skip '$(COMPUTING)' --skip '$(NETWORKING)' --skip '$(RUNNING)'

test-deep: ## Run the tests that take long: pages of 10,000 and 100,000 steps in Chromium
	@.ci/install $(BUILD_PACKAGES) $(TEST_PACKAGES)
	@.ci/browser
	swift build --build-tests
	GARLAND_DEEP=1 swift test --skip-build --filter 'GarlandReportsTests\.HTMLSpeedTests'

report-pictures: ## Take the pictures of the HTML report for the documentation, with .build/debug/garland
	@.ci/install $(TEST_PACKAGES)
	@.ci/browser
	.ci/report-pictures

lint: ## Check the format, the order of the folders, and the links of the documentation
	swift format lint --strict --recursive --parallel Package.swift Sources Tests
	.ci/check-folders
	.ci/check-links
	.ci/embed-page --check

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

hotpath hotpath-update: CURL := shared
hotpath: build ## Count the instructions of a step, and fail if they are 5 % more than in Benchmarks/results/hotpath.json
	@.ci/install valgrind python3
	Benchmarks/hotpath.py

hotpath-update: build ## Write what is counted to Benchmarks/results/hotpath.json
	@.ci/install valgrind python3
	Benchmarks/hotpath.py --update

# An instrumented program counts in a folder of its own; the order of the functions is that of the program which the new profile makes. What is there stays until
# both are.
RECORDED := .build/recorded
profile: ## Record which code runs often, for the compiler and the linker to arrange it by (Profile/; a quarter of an hour)
	@.ci/install $(BUILD_PACKAGES) nginx-light openssl gcc libc6-dev valgrind python3
	@Linking/prepare $(LINKING) $(CURL)
	@mkdir -p $(RECORDED)
	flags=$$(Profile/flags record $(RECORDED)) && $(RELEASE) --scratch-path $(RECORDED) $$flags
	Profile/record $(RECORDED)/release/garland > $(RECORDED)/garland.profdata
	cp Profile/order.txt $(RECORDED)/order.txt
	$(MAKE) build PROFILE=$(RECORDED) STRIP=debug
	Profile/order $(GARLAND) > $(RECORDED)/order.new
	mv $(RECORDED)/order.new Profile/order.txt
	mv $(RECORDED)/garland.profdata Profile/garland.profdata
	$(MAKE) build

# Which shell looks for its completions where, below `share`.
COMPLETIONS := bash:bash-completion/completions/garland zsh:zsh/site-functions/_garland fish:fish/vendor_completions.d/garland.fish

install: build ## Install the command (PREFIX=/usr/local) with its shell completions
	install -D -m 755 $(GARLAND) "$(DESTDIR)$(PREFIX)/bin/garland"
	@for it in $(COMPLETIONS); do \
	  file="$(DESTDIR)$(PREFIX)/share/$${it#*:}"; echo "completions: $$file"; \
	  mkdir -p "$${file%/*}" && $(GARLAND) --generate-completion-script "$${it%%:*}" > "$$file" || exit 1; \
	done

uninstall: ## Take away what `make install` has put there (with the same PREFIX)
	rm -f "$(DESTDIR)$(PREFIX)/bin/garland"
	@for it in $(COMPLETIONS); do rm -f "$(DESTDIR)$(PREFIX)/share/$${it#*:}"; done

PREFIX ?= /usr/local

clean: ## Remove what was built
	swift package clean
	rm -rf .build/profiles $(RECORDED)
