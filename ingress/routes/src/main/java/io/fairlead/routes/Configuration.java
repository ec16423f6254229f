package io.fairlead.routes;

/// The text of an nginx configuration, and a short name that changes with it.
public interface Configuration {
    /// What nginx reads; its first line names it by [#generation].
    String text();

    String generation();
}
