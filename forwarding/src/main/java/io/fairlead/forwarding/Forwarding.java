package io.fairlead.forwarding;

/// One row: connections to `frontend` get `verdict`.
public record Forwarding(Frontend frontend, ServicePortName service, Verdict verdict, Masquerade masquerade) {}
