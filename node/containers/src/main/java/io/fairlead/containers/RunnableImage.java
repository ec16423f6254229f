package io.fairlead.containers;

import java.nio.file.Path;
import java.util.List;

/// An image that is on this node: its files as layers, the first one on top, and what it says of its program.
///
/// `binds` are files of the node that it needs. `id` names its very content where that is known.
public record RunnableImage(ImageConfig config, List<Path> layers, List<ContainerSpec.Bind> binds, String id) {
    public RunnableImage {
        layers = List.copyOf(layers);
        binds = List.copyOf(binds);
    }

    /// Its exact name, where a pod says `name`: `docker.io/library/nginx@sha256:…`.
    public String reference(String name) {
        return id.startsWith("sha256:") ? ImageName.repository(name) + "@" + id : name;
    }
}
