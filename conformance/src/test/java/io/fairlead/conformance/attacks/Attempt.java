package io.fairlead.conformance.attacks;

/// One request that must be refused: whose it is, what it sends, and how it is answered.
///
/// @param client the name of a client of [AttackedServer]
/// @param type of the body; empty for JSON, or a merge patch
record Attempt(String what, String client, String method, String path, String type, String body, int code) {
    static Attempt of(String what, String client, String method, String path, String body, int code) {
        return new Attempt(what, client, method, path, "", body, code);
    }

    Attempt as(String bodyType) {
        return new Attempt(what, client, method, path, bodyType, body, code);
    }

    Intruder.Reply send(Intruder sender) throws Exception {
        return type.isEmpty() ? sender.send(method, path, body) : sender.send(method, path, type, body);
    }

    @Override
    public String toString() {
        return what;
    }
}
