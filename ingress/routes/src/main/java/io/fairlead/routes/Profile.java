package io.fairlead.routes;

import static io.fairlead.routes.Annotation.AFFINITY;
import static io.fairlead.routes.Annotation.AUTH_TLS_SECRET;
import static io.fairlead.routes.Annotation.AUTH_TYPE;
import static io.fairlead.routes.Annotation.AUTH_URL;
import static io.fairlead.routes.Annotation.BACKEND_PROTOCOL;
import static io.fairlead.routes.Annotation.CLIENT_BODY_BUFFER_SIZE;
import static io.fairlead.routes.Annotation.CUSTOM_HEADERS;
import static io.fairlead.routes.Annotation.CUSTOM_HTTP_ERRORS;
import static io.fairlead.routes.Annotation.ENABLE_CORS;
import static io.fairlead.routes.Annotation.LOAD_BALANCE;
import static io.fairlead.routes.Annotation.MIRROR_REQUEST_BODY;
import static io.fairlead.routes.Annotation.MIRROR_TARGET;
import static io.fairlead.routes.Annotation.PROXY_BODY_SIZE;
import static io.fairlead.routes.Annotation.PROXY_BUFFERING;
import static io.fairlead.routes.Annotation.PROXY_BUFFERS_NUMBER;
import static io.fairlead.routes.Annotation.PROXY_BUFFER_SIZE;
import static io.fairlead.routes.Annotation.PROXY_NEXT_UPSTREAM;
import static io.fairlead.routes.Annotation.PROXY_NEXT_UPSTREAM_TIMEOUT;
import static io.fairlead.routes.Annotation.PROXY_REQUEST_BUFFERING;
import static io.fairlead.routes.Annotation.UPSTREAM_VHOST;
import static io.fairlead.routes.Annotation.X_FORWARDED_PREFIX;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// Those options of a route that nginx reads from its configuration alone: a location for each set of them that
/// is in use. Two Ingresses that ask for the same share one, so a new Ingress seldom needs a reload.
///
/// @param rich whether headers are changed on the way, by Lua
/// @param external whether the target is a name that nginx resolves
public record Profile(Map<Annotation, Object> values, boolean rich, boolean external) implements Comparable<Profile> {
    private static final List<Annotation> READ_BY_NGINX = List.of(
            PROXY_BODY_SIZE,
            CLIENT_BODY_BUFFER_SIZE,
            PROXY_REQUEST_BUFFERING,
            PROXY_BUFFERING,
            PROXY_BUFFER_SIZE,
            PROXY_BUFFERS_NUMBER,
            PROXY_NEXT_UPSTREAM,
            PROXY_NEXT_UPSTREAM_TIMEOUT,
            BACKEND_PROTOCOL,
            AUTH_TYPE,
            CUSTOM_HTTP_ERRORS,
            MIRROR_REQUEST_BODY);

    /// Of these it only matters that they are there: their values are data.
    private static final List<Annotation> SWITCHES = List.of(AUTH_URL, MIRROR_TARGET);

    private static final Set<Annotation> RICH = Set.of(
            AFFINITY,
            ENABLE_CORS,
            CUSTOM_HEADERS,
            UPSTREAM_VHOST,
            X_FORWARDED_PREFIX,
            AUTH_TLS_SECRET,
            AUTH_URL,
            CUSTOM_HTTP_ERRORS,
            LOAD_BALANCE);

    public static final Profile PLAIN = new Profile(Map.of(), false, false);

    public Profile {
        values = Map.copyOf(values);
    }

    static Profile of(Options options, boolean external) {
        Map<Annotation, Object> values = new EnumMap<>(Annotation.class);
        for (Annotation annotation : READ_BY_NGINX) {
            if (options.has(annotation)) {
                values.put(annotation, options.values().get(annotation));
            }
        }
        SWITCHES.stream().filter(options::has).forEach(annotation -> values.put(annotation, true));
        if ("HTTP".equals(values.get(BACKEND_PROTOCOL))) {
            values.remove(BACKEND_PROTOCOL);
        }
        return new Profile(values, options.values().keySet().stream().anyMatch(RICH::contains), external);
    }

    Options options() {
        return new Options(values);
    }

    /// The name of its location: it says all there is to say, so equal profiles have equal names.
    public String name() {
        if (equals(PLAIN)) {
            return "plain";
        }
        String text = values.entrySet().stream()
                .map(entry -> entry.getKey().word() + "=" + entry.getValue())
                .sorted()
                .collect(Collectors.joining(","));
        return Digests.of(text + "," + rich + "," + external);
    }

    @Override
    public int compareTo(Profile other) {
        return name().compareTo(other.name());
    }
}
