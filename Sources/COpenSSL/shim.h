#pragma once
#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>

// A macro with a cast, which Swift does not import: both halves of a key pair.
static inline int garland_pkey_keypair(void) { return EVP_PKEY_KEYPAIR; }
// The same for the public half.
static inline int garland_pkey_public(void) { return EVP_PKEY_PUBLIC_KEY; }
