package io.fairlead.http;

/// What tests send.
final class Bodies {
    private Bodies() {}

    /// A Service with these fields in its spec.
    static String service(String name, String spec) {
        return "{\"metadata\":{\"name\":\"%s\"},\"spec\":{%s}}".formatted(name, spec);
    }
}
