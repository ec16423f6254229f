package io.fairlead.containers;

import io.fairlead.api.Ip;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Pod;
import io.fairlead.api.Service;
import io.fairlead.api.Volume;
import io.fairlead.kernel.Enclosure;
import io.fairlead.kernel.Launch;
import io.fairlead.kernel.Mount;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Makes a container ready to start: its variables, its files and its command line, out of the pod and the cluster.
///
/// The program is started by this process itself (see [Launch]) and leads a session of its own, so that what ends the
/// agent (a kill of its group, a Ctrl-C) passes the container by.
public record ContainerStart(ContainerHost host, Sandbox sandbox, Pod pod, VolumeFiles volumes) {
    private static final String PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
    private static final NamespacedName DNS = new NamespacedName("kube-system", "kube-dns");
    private static final Path TERMINALS = Path.of("/run/fairlead-terminals");
    private static final Path NULL = Path.of("/dev/null");

    /// A [NodeException] says what the pod asks for that is not there.
    public Launch prepare(Pod.Container container, Image image, Path log) throws InterruptedException {
        refuseGrpc(container);
        volumes.fill(pod, fields());
        PodFiles files = writeFiles();
        Map<String, String> variables = environment(files, image).of(container);
        List<Path> streams = List.of(NULL, ContainerLog.output(log), ContainerLog.errors(log));
        List<Mount.Bind> binds = binds(container);
        List<String> words = words(container, image, variables);
        Path directory = Path.of(container.workingDir().isEmpty() ? "/" : container.workingDir());
        return new Launch(words, variables, directory, streams, enclosure(files, image, binds));
    }

    private static void refuseGrpc(Pod.Container container) {
        for (var probe : List.of(container.startupProbe(), container.readinessProbe(), container.livenessProbe())) {
            if (probe.action() instanceof io.fairlead.api.Probe.Action.Grpc) {
                throw new NodeException(
                        "container %s: a grpc probe is not supported here, ask by httpGet, tcpSocket or exec"
                                .formatted(container.name()));
            }
        }
    }

    private List<String> words(Pod.Container container, Image image, Map<String, String> variables) {
        List<String> words = new ArrayList<>();
        if (container.terminal().isWanted()) {
            host.findTerminal()
                    .ifPresent(program -> words.addAll(program.words(
                            container.terminal().tty(),
                            container.terminal().once(),
                            TERMINALS.resolve(Sandbox.socket(container.name())))));
        }
        words.addAll(Environment.expanded(image.commandLine(container), variables));
        if (words.isEmpty()) {
            throw new NodeException("container %s: image %s has no command, so the container must say one"
                    .formatted(container.name(), container.image()));
        }
        return words;
    }

    private Environment environment(PodFiles files, Image image) {
        Map<String, String> first = new LinkedHashMap<>();
        first.put("PATH", PATH);
        first.put("HOME", "/root");
        first.put("HOSTNAME", files.hostname());
        first.put("POD_NAME", pod.key().name());
        first.put("POD_NAMESPACE", pod.key().namespace());
        first.put(
                "POD_IP",
                sandbox.addresses().stream().findFirst().map(Ip::toString).orElse(""));
        first.putAll(image.env());
        first.putAll(ServiceVariables.of(host.snapshots().get(), pod));
        return new Environment(fields(), new ConfigValues(host.api(), pod.key().namespace()), first);
    }

    DownwardFields fields() {
        return new DownwardFields(pod, sandbox.addresses(), host.identity().addresses());
    }

    private Enclosure enclosure(PodFiles files, Image image, List<Mount.Bind> binds) {
        RootPlan root = image.rootFolder().map(RootPlan::of).orElseGet(RootPlan::ofMachine);
        root.with(host.folders().programs(), Programs.FOLDER, true);
        root.with(terminals(), TERMINALS, false);
        binds.forEach(bind -> root.with(bind.source(), bind.target(), bind.readOnly()));
        boolean shared = pod.spec().hostNetwork();
        return new Enclosure(
                shared ? "" : sandbox.names().namespace(),
                shared ? "" : files.hostname(),
                host.folders().mountPoint(),
                root.mounts());
    }

    /// The files and volumes of the pod that the container has.
    private List<Mount.Bind> binds(Pod.Container container) {
        List<Mount.Bind> binds = new ArrayList<>();
        for (String name : List.of("hosts", "hostname", "resolv.conf")) {
            binds.add(new Mount.Bind(etc().resolve(name), Path.of("/etc", name), false, false));
        }
        for (Volume.Mount mount : container.mounts()) {
            binds.add(bind(container, mount));
        }
        boolean covered =
                container.mounts().stream().anyMatch(m -> Path.of(m.path()).equals(VolumeFiles.ACCOUNT_FOLDER));
        if (pod.spec().surroundings().automountToken() && !covered) {
            binds.add(new Mount.Bind(volumes.accountPlace(), VolumeFiles.ACCOUNT_FOLDER, true, false));
        }
        return binds;
    }

    private Mount.Bind bind(Pod.Container container, Volume.Mount mount) {
        Path place = pod.spec().surroundings().volumes().stream()
                .filter(volume -> volume.name().equals(mount.volume()))
                .findFirst()
                .map(volumes::place)
                .orElseThrow(() -> new NodeException(
                        "container %s: there is no volume %s".formatted(container.name(), mount.volume())));
        Path source = place.resolve(mount.subPath()).normalize();
        if (!source.startsWith(place)) {
            throw new NodeException("subPath %s leads out of its volume".formatted(mount.subPath()));
        }
        makeFolder(source);
        return new Mount.Bind(source, Path.of(mount.path()), mount.readOnly(), false);
    }

    private PodFiles writeFiles() {
        PodFiles files =
                new PodFiles(pod, host.identity().name(), host.identity().clusterDomain(), nameServers(), hostResolv());
        makeFolder(etc());
        write("hostname", files.hostname() + "\n");
        write("hosts", files.hosts(sandbox.addresses()));
        write("resolv.conf", files.resolvConf());
        return files;
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

    private Path etc() {
        return sandbox.folder().resolve("etc");
    }

    private Path terminals() {
        Path folder = sandbox.terminals();
        makeFolder(folder);
        return folder;
    }

    private void write(String name, String text) {
        try {
            Files.writeString(etc().resolve(name), text);
        } catch (IOException e) {
            throw new NodeException("cannot write %s of %s".formatted(name, pod.key()), e);
        }
    }

    private static void makeFolder(Path folder) {
        try {
            if (!Files.exists(folder)) {
                Files.createDirectories(folder);
            }
        } catch (IOException e) {
            throw new NodeException("cannot make " + folder, e);
        }
    }
}
