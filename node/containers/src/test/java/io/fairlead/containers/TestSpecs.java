package io.fairlead.containers;

import io.fairlead.containers.ContainerSpec.Bind;
import io.fairlead.containers.ContainerSpec.Isolation;
import io.fairlead.containers.ContainerSpec.Limits;
import io.fairlead.containers.ContainerSpec.Privileges;
import io.fairlead.containers.ContainerSpec.Program;
import io.fairlead.containers.ContainerSpec.Root;
import io.fairlead.containers.ContainerSpec.Streams;
import io.fairlead.containers.ContainerSpec.User;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// Containers for tests: the standard privileges, a root of this machine's programs, a cgroup of the test's own.
final class TestSpecs {
    static final Privileges STANDARD = new Privileges(false, Capabilities.STANDARD, true, true, true);

    private TestSpecs() {}

    static ContainerSpec of(Path folder, String name, String... words) {
        return new ContainerSpec(
                new ContainerId("pod", name, 0),
                new Program(List.of(words), Map.of("PATH", "/usr/bin:/bin", "A", "b c"), "/"),
                User.ROOT,
                new Root(List.of(folder.resolve("machine")), false),
                new MachineRoot(folder.resolve("machine")).binds(),
                new Isolation(
                        Map.of("mount", "", "pid", "", "ipc", "", "uts", "", "network", ""),
                        "inside",
                        Map.of(),
                        STANDARD),
                limits(0),
                new Streams(folder.resolve(name + ".out"), folder.resolve(name + ".err"), false, false, false, folder));
    }

    static Limits limits(long memory) {
        return new Limits(cgroup() + "/pod", 2, 0, memory, 100, 500);
    }

    static String cgroup() {
        return "/fairlead/test" + ProcessHandle.current().pid();
    }

    static ContainerSpec with(ContainerSpec spec, Limits limits) {
        return new ContainerSpec(
                spec.id(),
                spec.program(),
                spec.user(),
                spec.root(),
                spec.binds(),
                spec.isolation(),
                limits,
                spec.streams());
    }

    static ContainerSpec with(ContainerSpec spec, User user, Privileges privileges, List<Bind> binds) {
        Isolation isolation = spec.isolation();
        return new ContainerSpec(
                spec.id(),
                spec.program(),
                user,
                spec.root(),
                binds,
                new Isolation(isolation.namespaces(), isolation.hostname(), isolation.sysctls(), privileges),
                spec.limits(),
                spec.streams());
    }
}
