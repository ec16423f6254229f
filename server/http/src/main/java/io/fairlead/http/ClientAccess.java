package io.fairlead.http;

import io.fairlead.access.Pki;
import io.fairlead.access.StaticTokens;

/// How clients come in to an API server.
public sealed interface ClientAccess {
    /// Plain HTTP, and every client may do everything: for tests on loopback.
    record Open() implements ClientAccess {}

    /// TLS with a certificate of our own authority; who a client is decides what it may do.
    record Guarded(Pki pki, StaticTokens tokens) implements ClientAccess {}
}
