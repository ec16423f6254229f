package io.fairlead.containers;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Json;
import io.fairlead.containers.ContainerSpec.Bind;
import io.fairlead.containers.ContainerSpec.Limits;
import io.fairlead.containers.ContainerSpec.Privileges;
import io.fairlead.containers.ContainerSpec.User;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

final class OciConfigTest {
    private final ContainerSpec spec = TestSpecs.of(Path.of("/x"), "web", "serve", "-v");

    @Test
    void a_container_has_namespaces_of_its_own_and_the_masks_of_kubernetes_runtimes() {
        JsonNode linux = OciConfig.of(spec).path("linux");

        assertThat(linux.path("namespaces").valueStream().map(n -> Json.text(n, "type")))
                .containsExactlyInAnyOrder("mount", "pid", "ipc", "uts", "network");
        assertThat(Json.texts(linux, "maskedPaths")).contains("/proc/kcore", "/proc/keys", "/sys/firmware");
        assertThat(Json.texts(linux, "readonlyPaths")).contains("/proc/sys", "/proc/sysrq-trigger");
        assertThat(Json.text(linux, "seccomp", "defaultAction")).isEqualTo("SCMP_ACT_ERRNO");
    }

    @Test
    void the_kernels_files_are_read_only_and_devices_its_own() {
        JsonNode mounts = OciConfig.of(spec).path("mounts");

        assertThat(options(mounts, "/sys")).contains("ro", "nosuid", "nodev");
        assertThat(options(mounts, "/sys/fs/cgroup")).contains("ro");
        assertThat(options(mounts, "/dev/shm")).contains("size=65536k");
        assertThat(mount(mounts, "/dev").path("type").stringValue()).isEqualTo("tmpfs");
    }

    @Test
    void root_holds_its_capabilities_and_another_user_none() {
        assertThat(capabilities(spec, "effective"))
                .hasSize(14)
                .contains("CAP_CHOWN")
                .doesNotContain("CAP_SYS_ADMIN");
        ContainerSpec user = TestSpecs.with(spec, new User(1000, 100, List.of(7L)), TestSpecs.STANDARD, List.of());

        assertThat(capabilities(user, "effective")).isEmpty();
        assertThat(capabilities(user, "bounding")).hasSize(14);
        assertThat(OciConfig.of(user).path("process").path("user").toString())
                .isEqualTo("{\"uid\":1000,\"gid\":100,\"additionalGids\":[7]}");
        assertThat(Json.flag(OciConfig.of(user), false, "process", "noNewPrivileges"))
                .isTrue();
    }

    @Test
    void a_privileged_container_is_masked_nowhere() {
        Privileges all = new Privileges(true, Capabilities.ALL, false, false, false);
        JsonNode config = OciConfig.of(TestSpecs.with(spec, User.ROOT, all, List.of()));

        assertThat(config.path("linux").path("maskedPaths")).isEmpty();
        assertThat(config.path("linux").has("seccomp")).isFalse();
        assertThat(options(config.path("mounts"), "/sys")).contains("rw");
    }

    @Test
    void limits_become_those_of_its_cgroup() {
        JsonNode resources = OciConfig.of(
                        TestSpecs.with(spec, new Limits("/fairlead/n/p/c.0", 512, 500, 64 << 20, 100, 7)))
                .path("linux")
                .path("resources");

        assertThat(resources.path("cpu").toString()).isEqualTo("{\"shares\":512,\"period\":100000,\"quota\":50000}");
        assertThat(resources.path("memory").path("limit").longValue()).isEqualTo(64 << 20);
        assertThat(resources.path("pids").path("limit").longValue()).isEqualTo(100);
        assertThat(resources.path("devices").toString()).isEqualTo("[{\"allow\":false,\"access\":\"rwm\"}]");
    }

    @Test
    void files_of_the_node_never_bring_devices() {
        ContainerSpec bound = TestSpecs.with(
                spec, User.ROOT, TestSpecs.STANDARD, List.of(new Bind(Path.of("/srv/a"), Path.of("/a"), true)));

        assertThat(options(OciConfig.of(bound).path("mounts"), "/a")).contains("nodev", "ro", "rprivate");
    }

    @Test
    void a_system_call_that_makes_namespaces_needs_sys_admin() {
        String without = SeccompProfile.standard().config(Capabilities.STANDARD).toString();
        String with = SeccompProfile.standard().config(Set.of("SYS_ADMIN")).toString();

        assertThat(without).contains("\"openat\"").doesNotContain("\"unshare\"", "\"mount\"", "\"bpf\"", "\"keyctl\"");
        assertThat(with).contains("\"unshare\"", "\"mount\"", "\"bpf\"");
    }

    private static List<String> capabilities(ContainerSpec spec, String set) {
        return Json.texts(OciConfig.of(spec).path("process").path("capabilities"), set);
    }

    private static List<String> options(JsonNode mounts, String target) {
        return Json.texts(mount(mounts, target), "options");
    }

    private static JsonNode mount(JsonNode mounts, String target) {
        return mounts.valueStream()
                .filter(m -> Json.text(m, "destination").equals(target))
                .findFirst()
                .orElseThrow();
    }
}
