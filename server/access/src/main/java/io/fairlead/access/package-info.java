/// Who a client is, and what it may do.
///
/// ```
///   certificate ─┐                                  roles, bindings ─► Rbac ◄─ default-policy.yaml
///   static token ┼─► who: User ─► what: AccessRequest ─────────────────► allows?
///   signed token ┘
///
///   Pki (a folder) ─► CertificateAuthority ─► Credential: the server's, the administrator's, a node's
/// ```
///
/// Only [io.fairlead.access.Pki] and [io.fairlead.access.StaticTokens] touch files; all the rest is a function of what
/// it is given. Nothing here prints or throws a key or a token: errors name the file and the line.
@NullMarked
package io.fairlead.access;

import org.jspecify.annotations.NullMarked;
