package io.fairlead.forwarding;

/// A row that a backend cannot program as asked: whose it is, what was asked, and what is done instead.
///
/// @param frontend the address of the row, as text
public record Note(ServicePortName service, String frontend, String asked, String done) {
    @Override
    public String toString() {
        return "%s %s: asked %s, done %s".formatted(service, frontend, asked, done);
    }
}
