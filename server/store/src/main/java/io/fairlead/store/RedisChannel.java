package io.fairlead.store;

import java.net.URI;

/// A channel of a Redis server: `redis://HOST[:PORT][/CHANNEL]`.
public record RedisChannel(String host, int port, String channel) {
    private static final int DEFAULT_PORT = 6379;
    private static final String DEFAULT_CHANNEL = "fairlead";

    /// Throws an IllegalArgumentException whose sentence says what is wrong with `text`.
    public static RedisChannel parse(String text) {
        URI uri = URI.create(text);
        String host = uri.getHost();
        if (!"redis".equals(uri.getScheme()) || host == null || uri.getUserInfo() != null) {
            throw new IllegalArgumentException("\"%s\" is no channel: redis://HOST[:PORT][/CHANNEL]".formatted(text));
        }
        String path = uri.getPath().isEmpty() ? "" : uri.getPath().substring(1);
        return new RedisChannel(
                host, uri.getPort() < 0 ? DEFAULT_PORT : uri.getPort(), path.isEmpty() ? DEFAULT_CHANNEL : path);
    }
}
