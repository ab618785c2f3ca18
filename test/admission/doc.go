// SPDX-License-Identifier: Apache-2.0

// Package admission tests the webhook and the policies of config/admission and
// config/protection on a real API server, installed as an administrator would,
// with the operator running under the rights that they give it.
package admission
