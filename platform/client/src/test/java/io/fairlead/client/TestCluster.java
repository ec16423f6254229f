package io.fairlead.client;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The list and watch half of an API server, over HTTP, with everything that can go wrong on a button.
///
/// Each event goes out in two chunks, so that a reader never gets a whole line at once.
final class TestCluster implements AutoCloseable {
    private record Event(long revision, String path, String line) {}

    private final Object lock = new Object();
    private final Map<String, Map<NamespacedName, ObjectNode>> objects = new TreeMap<>();
    private final List<Event> history = new ArrayList<>();
    private final HttpTestServer server = new HttpTestServer(this::answer);
    private long revision = 10;
    private long compacted;
    private int drops;
    private int lists;
    private long lastWatchFrom;
    private boolean away;
    private boolean goneAsEvent;

    URI uri() {
        return server.uri();
    }

    void put(Kind kind, NamespacedName name, ObjectNode object) {
        synchronized (lock) {
            Map<NamespacedName, ObjectNode> all = objects.computeIfAbsent(kind.path(""), _ -> new TreeMap<>());
            boolean known = all.containsKey(name);
            all.put(name, object);
            stamp(name, object);
            record(kind, known ? "MODIFIED" : "ADDED", object);
        }
    }

    void remove(Kind kind, NamespacedName name) {
        synchronized (lock) {
            ObjectNode object = Objects.requireNonNull(
                            objects.getOrDefault(kind.path(""), Map.of()).remove(name))
                    .deepCopy();
            stamp(name, object);
            record(kind, "DELETED", object);
        }
    }

    void bookmark(Kind kind) {
        synchronized (lock) {
            ObjectNode object = Json.object();
            stamp(new NamespacedName("", ""), object);
            record(kind, "BOOKMARK", object);
        }
    }

    private void stamp(NamespacedName name, ObjectNode object) {
        object.withObject("metadata")
                .put("name", name.name())
                .put("namespace", name.namespace())
                .put("resourceVersion", Long.toString(++revision));
    }

    private void record(Kind kind, String type, ObjectNode object) {
        ObjectNode event = Json.object().put("type", type);
        event.set("object", object.deepCopy());
        history.add(new Event(revision, kind.path(""), event + "\n"));
        lock.notifyAll();
    }

    /// Breaks every open watch in the middle of a line.
    void dropWatches() {
        synchronized (lock) {
            drops++;
            lock.notifyAll();
        }
    }

    /// Forgets what happened so far: a watch from there is answered with 410, as an HTTP code or as an event.
    void compact(boolean asEvent) {
        synchronized (lock) {
            compacted = revision;
            goneAsEvent = asEvent;
        }
    }

    void goAway(boolean gone) {
        synchronized (lock) {
            away = gone;
            drops++;
            lock.notifyAll();
        }
    }

    int lists() {
        synchronized (lock) {
            return lists;
        }
    }

    long revision() {
        synchronized (lock) {
            return revision;
        }
    }

    /// Where the newest watch began.
    long lastWatchFrom() {
        synchronized (lock) {
            return lastWatchFrom;
        }
    }

    @Override
    public void close() {
        server.close();
    }

    private void answer(HttpTestServer.Request request, HttpTestServer.Reply reply)
            throws IOException, InterruptedException {
        boolean refuse;
        synchronized (lock) {
            refuse = away;
        }
        if (refuse) {
            reply.drop();
        } else if (request.query().containsKey("watch")) {
            watch(request, reply);
        } else {
            reply.json(200, list(request.path()).toString());
        }
    }

    private ObjectNode list(String path) {
        synchronized (lock) {
            lists++;
            ObjectNode list = Json.object();
            list.putObject("metadata").put("resourceVersion", Long.toString(revision));
            ArrayNode items = list.putArray("items");
            objects.getOrDefault(path, Map.of()).values().forEach(o -> items.add(o.deepCopy()));
            return list;
        }
    }

    private void watch(HttpTestServer.Request request, HttpTestServer.Reply reply)
            throws IOException, InterruptedException {
        long from = Long.parseLong(request.query().getOrDefault("resourceVersion", "0"));
        if (gone(from, reply)) {
            return;
        }
        int mine = begin(from);
        reply.startStream();
        for (Event event = next(request.path(), from, mine); event != null; event = next(request.path(), from, mine)) {
            int half = event.line.length() / 2;
            reply.chunk(event.line.substring(0, half));
            reply.chunk(event.line.substring(half));
            from = event.revision;
        }
        reply.chunk("{\"type\":\"ADDED\",\"obj");
        reply.drop();
    }

    private int begin(long from) {
        synchronized (lock) {
            lastWatchFrom = from;
            return drops;
        }
    }

    private boolean gone(long from, HttpTestServer.Reply reply) throws IOException {
        synchronized (lock) {
            if (from >= compacted) {
                return false;
            }
        }
        String status = "{\"kind\":\"Status\",\"code\":410,\"reason\":\"Expired\",\"message\":\"too old\"}";
        if (goneAsEvent) {
            reply.startStream();
            reply.chunk("{\"type\":\"ERROR\",\"object\":" + status + "}\n");
            reply.endStream();
        } else {
            reply.json(410, status);
        }
        return true;
    }

    /// Waits for the next event after `from`; null when the watches are to be dropped.
    private @Nullable Event next(String path, long from, int mine) throws InterruptedException {
        synchronized (lock) {
            while (drops == mine) {
                for (Event event : history) {
                    if (event.revision > from && event.path.equals(path)) {
                        return event;
                    }
                }
                lock.wait();
            }
            return null;
        }
    }
}
