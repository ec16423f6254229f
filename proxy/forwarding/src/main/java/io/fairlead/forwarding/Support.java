package io.fairlead.forwarding;

/// Whether this machine can run a backend.
public sealed interface Support {
    record Supported() implements Support {}

    record Unsupported(String reason) implements Support {}

    /// It could not be found out.
    record Unknown(String reason) implements Support {}
}
