// SPDX-License-Identifier: Apache-2.0

// Package admission tells whoever applies a contract or a set at once what the
// operator will say of it, as warnings, and refuses a contract that is not valid
// or has a wrong version where its namespace asks for that.
//
// It is a convenience and guards nothing: the operator publishes by its own
// judgement, whatever was let through. So it fails open. Whatever goes wrong here,
// in the certificate, or on the way, the write succeeds.
//
//   - [Handler] answers the API server, with a [Reviewer] that says what the
//     controllers would say.
//   - [Certificates] makes the certificate that it is served with, keeps the bundle
//     in the ValidatingWebhookConfiguration, and replaces it before it expires.
//   - [Server] serves it with TLS.
package admission
