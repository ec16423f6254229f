package io.fairlead.containers;

import io.fairlead.api.Ip;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Pod;
import io.fairlead.api.PodIsolation;
import io.fairlead.api.Service;
import io.fairlead.containers.ContainerSpec.Bind;
import io.fairlead.containers.ContainerSpec.Isolation;
import io.fairlead.containers.ContainerSpec.Program;
import io.fairlead.containers.ContainerSpec.Root;
import io.fairlead.containers.ContainerSpec.Streams;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/// Makes a container ready to start: its variables, its files and its command line, out of the pod, its image and the
/// cluster.
///
/// `member` is the process of a container of the pod that runs, whose namespaces the new one shares; in a pod whose
/// containers share their processes it is the first of them.
public record ContainerStart(ContainerHost host, Sandbox sandbox, Pod pod, VolumeFiles volumes, OptionalLong member) {
    private static final String PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
    private static final NamespacedName DNS = new NamespacedName("kube-system", "kube-dns");

    /// A [NodeException] says what the pod asks for that is not there. Close what comes back when the container is
    /// made, or is not.
    public PreparedContainer prepare(Pod.Container container, RunnableImage image, ContainerId id, Path log)
            throws InterruptedException {
        SecurityPlan security = SecurityPlan.of(pod, container, image.config(), UserTable.of(image.layers()));
        volumes.fill(pod, fields());
        PodFiles files = writeFiles();
        Map<String, String> variables =
                environment(files, image.config(), security).of(container);
        ContainerBinds binds = new ContainerBinds(sandbox, pod, volumes);
        try {
            List<Bind> all = binds.of(container, id, image, variables);
            return new PreparedContainer(
                    new ContainerSpec(
                            id,
                            program(container, image.config(), variables),
                            security.user(),
                            new Root(
                                    image.layers(),
                                    container
                                            .settings()
                                            .security()
                                            .readOnlyRoot()
                                            .orElse(false)),
                            all,
                            isolation(files, security),
                            PodResources.limits(pod, container, cgroup(id), host.machine()),
                            streams(container, log)),
                    binds);
        } catch (RuntimeException e) {
            binds.close();
            throw e;
        }
    }

    private Program program(Pod.Container container, ImageConfig image, Map<String, String> variables) {
        List<String> words = Environment.expanded(image.commandLine(container), variables);
        if (words.isEmpty()) {
            throw new NodeException("container %s: image %s has no command, so the container must say one"
                    .formatted(container.name(), container.image()));
        }
        String own = container.workingDir().isEmpty() ? image.directory() : container.workingDir();
        String directory = own.isEmpty() ? "/" : own;
        if (!directory.startsWith("/") || directory.indexOf('\0') >= 0) {
            throw new NodeException("container %s: workingDir %s is no absolute path"
                    .formatted(container.name(), directory.replace('\0', '?')));
        }
        return new Program(words, variables, directory);
    }

    private Environment environment(PodFiles files, ImageConfig image, SecurityPlan security) {
        Map<String, String> first = new LinkedHashMap<>();
        first.put("PATH", PATH);
        first.put("HOME", security.home());
        first.put("HOSTNAME", files.hostname());
        first.putAll(image.environment());
        first.putAll(ServiceVariables.of(host.snapshots().get(), pod));
        return new Environment(fields(), new ConfigValues(host.api(), pod.key().namespace()), first);
    }

    private DownwardFields fields() {
        return new DownwardFields(pod, sandbox.addresses(), host.identity().addresses());
    }

    /// Mounts and processes are each container's own; the rest is the pod's, or the node's where the pod says so.
    private Isolation isolation(PodFiles files, SecurityPlan security) {
        PodIsolation wanted = pod.spec().surroundings().isolation();
        Map<String, String> namespaces = new LinkedHashMap<>();
        namespaces.put("mount", "");
        namespaces.put("uts", shared("uts"));
        if (!wanted.hostPid()) {
            namespaces.put("pid", wanted.shareProcessNamespace() ? shared("pid") : "");
        }
        if (!wanted.hostIpc()) {
            namespaces.put("ipc", shared("ipc"));
        }
        if (!pod.spec().hostNetwork()) {
            namespaces.put("network", "/run/netns/" + sandbox.names().namespace());
        }
        String hostname = member.isPresent() ? "" : files.hostname();
        return new Isolation(namespaces, hostname, security.sysctls(), security.privileges());
    }

    private String shared(String type) {
        return member.isPresent() ? "/proc/%d/ns/%s".formatted(member.getAsLong(), type) : "";
    }

    private String cgroup(ContainerId id) {
        return "%s/%s/%s".formatted(host.machine().cgroup(), id.sandbox(), id.folder());
    }

    private Streams streams(Pod.Container container, Path log) {
        return new Streams(
                ContainerLog.output(log),
                ContainerLog.errors(log),
                container.terminal().stdin(),
                container.terminal().once(),
                container.terminal().tty(),
                sandbox.terminal(container.name()));
    }

    private PodFiles writeFiles() {
        PodFiles files =
                new PodFiles(pod, host.identity().name(), host.identity().clusterDomain(), nameServers(), hostResolv());
        Path etc = ContainerBinds.etc(sandbox);
        Folders.make(etc, "rwxr-xr-x");
        overwrite(etc.resolve("hostname"), files.hostname() + "\n");
        overwrite(etc.resolve("hosts"), files.hosts(sandbox.addresses()));
        overwrite(etc.resolve("resolv.conf"), files.resolvConf());
        return files;
    }

    /// Not by a rename: containers that run have the file itself among theirs.
    private static void overwrite(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new NodeException("cannot write " + file, e);
        }
    }

    /// Those of the node's settings, or the cluster's DNS Service.
    private List<Ip> nameServers() {
        List<Ip> own = host.identity().clusterDns();
        return own.isEmpty()
                ? host.snapshots()
                        .get()
                        .services()
                        .find(DNS)
                        .map(Service::clusterIps)
                        .orElse(List.of())
                : own;
    }

    private static String hostResolv() {
        try {
            return Files.readString(Path.of("/etc/resolv.conf"));
        } catch (IOException e) {
            return ""; // a machine without one has no name servers
        }
    }
}
