package io.fairlead.forwarding;

/// Who may pass a row, and whose address a pod then sees: connections from elsewhere than `sources` are dropped.
public record SourcePolicy(Sources sources, Masquerade masquerade) {}
