package io.fairlead.containers;

import io.fairlead.api.Pod;
import io.fairlead.api.Volume;
import io.fairlead.containers.ContainerSpec.Bind;
import io.fairlead.kernel.BeneathPath;
import io.fairlead.kernel.KernelException;
import io.fairlead.kernel.Mounts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/// The files and volumes of a pod that one container has among its own.
///
/// A part of a volume (`subPath`) is opened so that no link in the volume leads out of it, and mounted at a place that
/// the pod does not know, until the container is made.
final class ContainerBinds implements AutoCloseable {
    private final Sandbox sandbox;
    private final Pod pod;
    private final VolumeFiles volumes;
    private final List<Path> parts = new ArrayList<>();

    ContainerBinds(Sandbox sandbox, Pod pod, VolumeFiles volumes) {
        this.sandbox = sandbox;
        this.pod = pod;
        this.volumes = volumes;
    }

    static Path etc(Sandbox sandbox) {
        return sandbox.folder().resolve("etc");
    }

    /// A folder comes before what is below it.
    List<Bind> of(Pod.Container container, ContainerId id, RunnableImage image, Map<String, String> variables) {
        List<Bind> binds = new ArrayList<>();
        for (String name : List.of("hosts", "hostname", "resolv.conf")) {
            binds.add(new Bind(etc(sandbox).resolve(name), Path.of("/etc", name), false));
        }
        binds.add(new Bind(
                lastWords(id), Path.of(container.settings().terminationMessage().path()), false));
        for (Volume.Mount mount : container.mounts()) {
            binds.add(bind(container, mount, variables));
        }
        boolean covered =
                container.mounts().stream().anyMatch(m -> Path.of(m.path()).equals(VolumeFiles.ACCOUNT_FOLDER));
        if (pod.spec().surroundings().automountToken() && !covered) {
            binds.add(new Bind(volumes.accountPlace(), VolumeFiles.ACCOUNT_FOLDER, true));
        }
        binds.sort(Comparator.comparingInt(bind -> bind.target().getNameCount()));
        binds.addAll(0, image.binds());
        return binds;
    }

    private Bind bind(Pod.Container container, Volume.Mount mount, Map<String, String> variables) {
        Volume volume = pod.spec().surroundings().volumes().stream()
                .filter(v -> v.name().equals(mount.volume()))
                .findFirst()
                .orElseThrow(() -> new NodeException(
                        "container %s: there is no volume %s".formatted(container.name(), mount.volume())));
        String part = mount.subPathExpr().isEmpty() ? mount.subPath() : Expansion.of(mount.subPathExpr(), variables);
        Path place = volumes.place(volume);
        // What the agent writes there no container may change: a link of theirs would be the agent's way out.
        boolean readOnly = mount.readOnly()
                || volume.source() instanceof Volume.Source.Files
                || (volume.source() instanceof Volume.Source.Claimed claimed && claimed.readOnly());
        return new Bind(part.isEmpty() ? place : part(place, part), Path.of(mount.path()), readOnly);
    }

    private Path part(Path place, String subPath) {
        Path relative = Path.of(subPath);
        if (relative.isAbsolute() || relative.normalize().startsWith("..")) {
            throw new NodeException("subPath %s leads out of its volume".formatted(subPath));
        }
        try (BeneathPath found = BeneathPath.open(place, relative)) {
            Path safe = makePlace(sandbox.folder().resolve("parts"), Files.isDirectory(found.path()));
            Mounts.bind(found.path(), safe);
            parts.add(safe);
            return safe;
        } catch (KernelException e) {
            throw new NodeException("subPath %s: %s".formatted(subPath, e.getMessage()), e);
        }
    }

    private static Path makePlace(Path parent, boolean folder) {
        Folders.make(parent, "rwx------");
        Path place = parent.resolve(UUID.randomUUID().toString());
        if (folder) {
            Folders.make(place, "rwx------");
        } else {
            Folders.write(place, "");
        }
        return place;
    }

    private Path lastWords(ContainerId id) {
        Path file = sandbox.lastWords(id);
        try {
            Folders.make(sandbox.folder().resolve("termination"), "rwx------");
            Files.write(file, new byte[0]);
            Files.setPosixFilePermissions(file, ProjectedFolder.permissions(0666));
            return file;
        } catch (IOException e) {
            throw new NodeException("cannot make " + file, e);
        }
    }

    /// The container has its own mounts by now.
    @Override
    public void close() {
        parts.forEach(ContainerBinds::letGo);
        parts.clear();
    }

    /// Never with what is in it: where it could not be let go, that would be the volume itself.
    private static void letGo(Path part) {
        Mounts.detach(part);
        try {
            Files.deleteIfExists(part);
        } catch (IOException e) {
            throw new NodeException("cannot remove " + part, e);
        }
    }
}
