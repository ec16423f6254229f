package io.fairlead.iptables;

/// Which rules of a Service say by a comment whose they are.
enum Comments {
    ALL,
    /// Not those of which there are some for each endpoint. The line of a frontend still tells whose the chain is that
    /// it leads to, and that chain which endpoints are its own: so nothing is lost but the reader's time.
    OF_FRONTENDS
}
