#pragma once
#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/ocsp.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

// A macro with a cast, which Swift does not import: both halves of a key pair.
static inline int garland_pkey_keypair(void) { return EVP_PKEY_KEYPAIR; }
// The same for the public half.
static inline int garland_pkey_public(void) { return EVP_PKEY_PUBLIC_KEY; }

// OpenSSL's lists, and much that concerns a connection, are macros, which Swift does not import.

static inline int garland_certificate_count(const STACK_OF(X509) *list) { return list ? sk_X509_num(list) : 0; }
static inline X509 *garland_certificate_at(const STACK_OF(X509) *list, int index) { return sk_X509_value(list, index); }

/// The stapled OCSP response, which belongs to the connection; its length is 0 if there is none.
static inline long garland_stapled_response(SSL *ssl, const unsigned char **bytes) {
  *bytes = NULL;
  long length = SSL_get_tlsext_status_ocsp_resp(ssl, bytes);
  return length > 0 && *bytes ? length : 0;
}
/// Makes the connections of `context` ask for a stapled OCSP response.
static inline int garland_request_staple(SSL_CTX *context) {
  return SSL_CTX_set_tlsext_status_type(context, TLSEXT_STATUSTYPE_ocsp) == 1;
}

// The name of SNI belongs to a connection, and libcurl lets others only at its context: it is put in when the handshake starts.
static inline void garland_free_server_name(void *parent, void *name, CRYPTO_EX_DATA *data, int index, long number, void *argument) {
  (void)parent, (void)data, (void)index, (void)number, (void)argument;
  OPENSSL_free(name);
}
/// The place for a name in contexts. To be asked for once.
static inline int garland_server_name_index(void) { return SSL_CTX_get_ex_new_index(0, NULL, NULL, NULL, garland_free_server_name); }
static inline int *garland_server_name_place(void) {
  static int place = -1;
  return &place;
}
static inline void garland_handshake_event(const SSL *ssl, int where, int value) {
  (void)value;
  if (!(where & SSL_CB_HANDSHAKE_START)) return;
  char *name = (char *)SSL_CTX_get_ex_data(SSL_get_SSL_CTX(ssl), __atomic_load_n(garland_server_name_place(), __ATOMIC_RELAXED));
  SSL_set_tlsext_host_name((SSL *)ssl, name && *name ? name : NULL);
}
/// Makes the connections of `context` say `name`, or nothing if it is empty. `place` is from `garland_server_name_index`.
static inline int garland_set_server_name(SSL_CTX *context, int place, const char *name) {
  char *copy = OPENSSL_strdup(name);
  if (place < 0 || !copy || !SSL_CTX_set_ex_data(context, place, copy)) {
    OPENSSL_free(copy);
    return 0;
  }
  __atomic_store_n(garland_server_name_place(), place, __ATOMIC_RELAXED);
  SSL_CTX_set_info_callback(context, garland_handshake_event);
  return 1;
}

/// Writes a name as RFC 2253 has it, in UTF-8 and with control characters escaped. The number of bytes, cut off at `capacity`.
static inline int garland_name_text(const X509_NAME *name, char *buffer, int capacity) {
  BIO *memory = BIO_new(BIO_s_mem());
  if (!memory) return 0;
  int count = 0;
  if (X509_NAME_print_ex(memory, name, 0, XN_FLAG_RFC2253 & ~ASN1_STRFLGS_ESC_MSB) >= 0) count = BIO_read(memory, buffer, capacity);
  BIO_free(memory);
  return count > 0 ? count : 0;
}
/// The next certificate of a PEM text, which the caller frees. `isEnd` says that there is none because the text is at its end.
static inline X509 *garland_read_certificate(BIO *text, int *isEnd) {
  ERR_clear_error();
  X509 *certificate = PEM_read_bio_X509_AUX(text, NULL, NULL, NULL);
  unsigned long error = ERR_peek_last_error();
  *isEnd = !certificate && ERR_GET_LIB(error) == ERR_LIB_PEM && ERR_GET_REASON(error) == PEM_R_NO_START_LINE;
  ERR_clear_error();
  return certificate;
}
/// Whether a certificate says that it is worth something only with a stapled OCSP response (RFC 7633).
static inline int garland_must_staple(const X509 *certificate) { return X509_get_ext_by_NID(certificate, NID_tlsfeature, -1) >= 0; }

/// Whether an OCSP response is signed by `issuer`, or by somebody whom `issuer` made a certificate for this purpose (RFC 6960, section 4.2.2.2).
static inline int garland_ocsp_is_signed(OCSP_BASICRESP *response, X509 *issuer) {
  STACK_OF(X509) *signers = sk_X509_new_null();
  X509_STORE *store = X509_STORE_new();
  int isSigned = 0;
  if (signers && store && sk_X509_push(signers, issuer) > 0 && X509_STORE_add_cert(store, issuer) == 1) {
    X509_STORE_set_flags(store, X509_V_FLAG_PARTIAL_CHAIN);
    isSigned = OCSP_basic_verify(response, signers, store, 0) > 0;
  }
  ERR_clear_error();
  X509_STORE_free(store);
  sk_X509_free(signers);
  return isSigned;
}
/// Whether one of a response's answers is about `certificate`.
static inline int garland_ocsp_is_about(OCSP_SINGLERESP *answer, const X509 *certificate, const X509 *issuer) {
  OCSP_CERTID *named = (OCSP_CERTID *)OCSP_SINGLERESP_get0_id(answer);
  ASN1_OBJECT *algorithm = NULL;
  if (!named || !OCSP_id_get0_info(NULL, &algorithm, NULL, NULL, named)) return 0;
  const EVP_MD *digest = EVP_get_digestbyobj(algorithm);
  OCSP_CERTID *wanted = digest ? OCSP_cert_to_id(digest, certificate, issuer) : NULL;
  int isAbout = wanted && OCSP_id_cmp(named, wanted) == 0;
  OCSP_CERTID_free(wanted);
  ERR_clear_error();
  return isAbout;
}

/// The certificate that the server showed, which belongs to the connection; also of a resumed session.
static inline X509 *garland_peer_certificate(const SSL *ssl) { return SSL_get0_peer_certificate(ssl); }
/// The name of the cipher suite in use.
static inline const char *garland_cipher_name(const SSL *ssl) { return SSL_get_cipher_name(ssl); }
/// Calls `take` with each of a certificate's alternative names: its kind (GEN_DNS and so on) and its bytes.
static inline void garland_alternative_names(
    const X509 *certificate, void *context, void (*take)(void *context, int kind, const unsigned char *bytes, int count)) {
  GENERAL_NAMES *names = X509_get_ext_d2i(certificate, NID_subject_alt_name, NULL, NULL);
  ERR_clear_error();
  for (int index = 0; index < sk_GENERAL_NAME_num(names); index++) {
    const GENERAL_NAME *name = sk_GENERAL_NAME_value(names, index);
    const ASN1_STRING *text = NULL;
    switch (name->type) {
      case GEN_DNS: case GEN_EMAIL: case GEN_URI: text = name->d.ia5; break;
      case GEN_IPADD: text = name->d.ip; break;
      default: break;
    }
    if (text) take(context, name->type, ASN1_STRING_get0_data(text), ASN1_STRING_length(text));
  }
  GENERAL_NAMES_free(names);
}
