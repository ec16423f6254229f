package io.fairlead.sessions;

import io.fairlead.api.NamespacedName;
import io.fairlead.streams.Duplex;
import io.fairlead.streams.HttpHead;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// One request to the agent, and the connection it came over, which is its own.
record SessionRequest(HttpHead head, List<String> path, Map<String, List<String>> query, Duplex wire) {

    static SessionRequest of(HttpHead head, Duplex wire) {
        String[] words = head.first().split(" ", -1);
        if (words.length != 3 || !words[1].startsWith("/")) {
            throw SessionException.badRequest("the request line cannot be read");
        }
        String[] target = words[1].split("\\?", 2);
        List<String> path = Arrays.stream(target[0].substring(1).split("/", -1))
                .map(SessionRequest::decoded)
                .toList();
        return new SessionRequest(head, path, query(target.length > 1 ? target[1] : ""), wire);
    }

    private static Map<String, List<String>> query(String text) {
        Map<String, List<String>> query = new LinkedHashMap<>();
        for (String pair : text.split("&", -1)) {
            String[] parts = pair.split("=", 2);
            query.computeIfAbsent(decoded(parts[0]), _ -> new ArrayList<>())
                    .add(parts.length > 1 ? decoded(parts[1]) : "");
        }
        return query;
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw SessionException.badRequest("the request line cannot be read");
        }
    }

    /// `logs`, `exec`, `attach`, `portforward` or `dial`.
    String what() {
        return path.getFirst();
    }

    NamespacedName pod() {
        return new NamespacedName(part(1), part(2));
    }

    /// What stands behind the pod: a container, or a port.
    String last() {
        return part(3);
    }

    private String part(int index) {
        if (index >= path.size() || path.get(index).isEmpty()) {
            throw SessionException.notFound("no such path");
        }
        return path.get(index);
    }

    List<String> all(String name) {
        return query.getOrDefault(name, List.of());
    }

    String one(String name) {
        return all(name).isEmpty() ? "" : all(name).getFirst();
    }

    boolean flag(String name) {
        return one(name).equals("true") || one(name).equals("1");
    }

    void answer(HttpHead head) throws IOException {
        answer(wire, head);
    }

    private static void answer(Duplex wire, HttpHead head) throws IOException {
        wire.out().write(head.bytes());
        wire.out().flush();
    }

    void refuse(SessionException refused) throws IOException {
        refuse(wire, refused);
    }

    /// Says no, also to what cannot be read as a request.
    static void refuse(Duplex wire, SessionException refused) throws IOException {
        byte[] text = refused.sentence().getBytes(StandardCharsets.UTF_8);
        answer(
                wire,
                HttpHead.of("HTTP/1.1 %d Refused".formatted(refused.status()))
                        .with("Content-Type", "text/plain; charset=utf-8")
                        .with("Content-Length", Integer.toString(text.length))
                        .with("Connection", "close"));
        wire.out().write(text);
        wire.out().flush();
    }
}
