package io.fairlead.up;

import io.fairlead.api.IpPort;
import io.fairlead.client.ClusterAccess;
import java.net.URI;
import java.nio.file.Path;

/// For clusters whose programs ask no caller who it is.
final class OpenKeys implements UpConfig.Keys {
    @Override
    public ClusterAccess own(Path serverDir, IpPort server) {
        return ClusterAccess.of(URI.create("http://" + server));
    }

    @Override
    public ClusterAccess node(Path serverDir, IpPort server, String name) {
        return own(serverDir, server);
    }
}
