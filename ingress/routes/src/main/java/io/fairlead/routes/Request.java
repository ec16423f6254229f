package io.fairlead.routes;

import io.fairlead.api.Ip;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/// One request as the door sees it; `headers` are by their name in lower case.
public record Request(String scheme, String host, String path, Ip client, Map<String, String> headers) {
    public Request {
        Map<String, String> lower = new TreeMap<>();
        headers.forEach((name, value) -> lower.put(name.toLowerCase(Locale.ROOT), value));
        headers = Map.copyOf(lower);
        host = host.toLowerCase(Locale.ROOT);
    }

    String header(String name) {
        return headers.getOrDefault(name.toLowerCase(Locale.ROOT), "");
    }

    String cookie(String name) {
        for (String pair : header("cookie").split(";", -1)) {
            String[] parts = pair.trim().split("=", 2);
            if (parts.length == 2 && parts[0].equals(name)) {
                return parts[1];
            }
        }
        return "";
    }
}
