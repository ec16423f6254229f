package io.fairlead.agent;

import static io.fairlead.agent.NodeLab.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.Pod;
import io.fairlead.testkit.RequiresRoot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// A container whose pod asks for nothing, seen from inside and compared with what containerd gives such a container;
/// the lists are containerd's (1.7, with what its patches masked since).
@RequiresRoot
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class StandardContainerIT {
    /// CHOWN DAC_OVERRIDE FOWNER FSETID KILL SETGID SETUID SETPCAP NET_BIND_SERVICE NET_RAW SYS_CHROOT MKNOD
    /// AUDIT_WRITE
    /// SETFCAP
    private static final String CAPABILITIES = "00000000a80425fb";

    private static final String NONE = "0000000000000000";

    private static final List<String> MASKED = List.of(
            "/proc/acpi",
            "/proc/asound",
            "/proc/interrupts",
            "/proc/kcore",
            "/proc/keys",
            "/proc/latency_stats",
            "/proc/sched_debug",
            "/proc/scsi",
            "/proc/timer_list",
            "/proc/timer_stats",
            "/sys/devices/virtual/powercap",
            "/sys/firmware");

    private static final List<String> READ_ONLY =
            List.of("/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger");

    /// Where the kernel's file systems are, of which type, and the options that keep a container in.
    private static final Map<String, String> MOUNTS = Map.of(
            "/proc", "proc rw,nosuid,nodev,noexec",
            "/dev", "tmpfs rw,nosuid",
            "/dev/pts", "devpts rw,nosuid,noexec",
            "/dev/mqueue", "mqueue rw,nosuid,nodev,noexec",
            "/dev/shm", "tmpfs rw,nosuid,nodev,noexec",
            "/sys", "sysfs ro,nosuid,nodev,noexec");

    private static final Set<String> DEVICES = Set.of(
            "core",
            "fd",
            "full",
            "mqueue",
            "null",
            "ptmx",
            "pts",
            "random",
            "shm",
            "stderr",
            "stdin",
            "stdout",
            "tty",
            "termination-log",
            "urandom",
            "zero");

    private static final boolean ARM = System.getProperty("os.arch").equals("aarch64");

    /// Calls that the filter refuses to a container without more capabilities: keyctl, userfaultfd, unshare, mount,
    /// kexec_load, bpf, perf_event_open.
    private static final List<Integer> FORBIDDEN =
            ARM ? List.of(219, 282, 97, 40, 104, 280, 241) : List.of(250, 323, 272, 165, 246, 321, 298);

    private NodeLab lab;
    private String seen = "";
    private Pod pod;

    @BeforeAll
    void look(@TempDir Path folder) throws InterruptedException {
        lab = new NodeLab(folder);
        lab.startAgent();
        lab.send(
                "POST",
                Kind.SECRET.path("default"),
                "{\"metadata\": {\"name\": \"hidden\"}, \"data\": {\"word\": \"eHl6enktd29yZA==\"}}");
        String script = """
            sed -e s/^/status./ /proc/self/status; sed -e s/^/mount./ /proc/self/mounts;
            for n in mnt pid net ipc uts user; do echo ns.$n $(readlink /proc/self/ns/$n); done;
            for d in /dev/*; do echo device.${d#/dev/}; done;
            for m in %s; do test -d $m && echo masked.$m $(ls $m | wc -l); test -d $m || echo masked.$m $(head -c 9 $m 2>/dev/null | wc -c); done;
            for r in %s; do test -w $r && echo writable.$r; done;
            perl -e "for (%s) { \\$! = 0; syscall(\\$_, 0, 0, 0, 0, 0); print qq(call.\\$_ ), \\$! + 0, qq(\\\\n) }";
            mknod /tmp/disk b 254 0; head -c 1 /tmp/disk 2>&1; echo over; sleep 1000\
            """.formatted(
                        String.join(" ", MASKED),
                        String.join(" ", READ_ONLY),
                        FORBIDDEN.stream().map(Object::toString).collect(Collectors.joining(",")))
                .replace("\n", " ");
        pod = lab.createPod(
                "standard",
                "{'name': 'main', 'image': 'busybox', 'command': ['sh', '-c', %s], 'env': [{'name': 'HIDDEN', 'valueFrom':"
                                .formatted(Json.object()
                                        .put("script", script)
                                        .path("script")
                                        .toString())
                        + " {'secretKeyRef': {'name': 'hidden', 'key': 'word'}}}]}",
                "");
        await().atMost(PATIENCE).until(() -> lab.log(pod, "main", 0).contains("over\n"));
        seen = lab.log(pod, "main", 0);
    }

    @AfterAll
    void stop() throws InterruptedException {
        if (lab != null) {
            lab.close();
        }
    }

    /// What the container printed after a word.
    private List<String> lines(String word) {
        return seen.lines()
                .filter(line -> line.startsWith(word))
                .map(line -> line.substring(word.length()))
                .toList();
    }

    @Test
    void it_is_root_with_the_standard_capabilities_behind_the_standard_filter() {
        assertThat(lines("status."))
                .contains(
                        "Uid:\t0\t0\t0\t0",
                        "Gid:\t0\t0\t0\t0",
                        "CapInh:\t" + NONE,
                        "CapPrm:\t" + CAPABILITIES,
                        "CapEff:\t" + CAPABILITIES,
                        "CapBnd:\t" + CAPABILITIES,
                        "CapAmb:\t" + NONE,
                        "NoNewPrivs:\t0",
                        "Seccomp:\t2");
        assertThat(lines("call."))
                .containsExactlyElementsOf(
                        FORBIDDEN.stream().map(call -> call + " 1").toList());
    }

    @Test
    void it_has_namespaces_of_its_own_but_for_users() throws IOException {
        for (String type : List.of("mnt", "pid", "net", "ipc", "uts", "user")) {
            String own = Files.readSymbolicLink(Path.of("/proc/self/ns", type)).toString();
            String inside = lines("ns." + type + " ").getFirst();
            assertThat(inside).startsWith(type + ":[");
            assertThat(inside.equals(own)).as(type).isEqualTo(type.equals("user"));
        }
    }

    @Test
    void the_file_systems_of_the_kernel_are_mounted_so_that_they_let_nothing_out() {
        MOUNTS.forEach((place, expected) -> assertThat(lines("mount."))
                .as(place)
                .anyMatch(line -> line.contains(" %s %s".formatted(place, expected))));
        assertThat(lines("mount."))
                .filteredOn(line -> line.startsWith("cgroup"))
                .isNotEmpty()
                .allMatch(line -> line.matches("\\S+ \\S+ \\S+ ro[, ].*"));
    }

    @Test
    void what_tells_of_the_machine_is_masked_and_what_changes_it_is_read_only() {
        assertThat(lines("masked."))
                .containsExactlyElementsOf(
                        MASKED.stream().map(path -> path + " 0").toList());
        assertThat(lines("writable.")).isEmpty();
    }

    @Test
    void it_has_the_devices_of_every_container_and_may_open_no_other() {
        assertThat(lines("device.")).isSubsetOf(DEVICES).contains("null", "zero", "random", "ptmx");
        assertThat(seen).contains("'/tmp/disk' for reading: Operation not permitted");
    }

    @Test
    void its_secrets_are_in_no_command_line_and_in_no_file_that_others_read() throws IOException {
        try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
            assertThat(processes
                            .filter(path -> path.getFileName().toString().matches("[0-9]+"))
                            .map(path -> read(path.resolve("cmdline"))))
                    .noneMatch(line -> line.contains("xyzzy-word"));
        }
        assertThat(Files.getPosixFilePermissions(lab.state().resolve("pods")))
                .doesNotContain(
                        java.nio.file.attribute.PosixFilePermission.OTHERS_READ,
                        java.nio.file.attribute.PosixFilePermission.OTHERS_EXECUTE);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file, java.nio.charset.StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return ""; // the process went
        }
    }
}
