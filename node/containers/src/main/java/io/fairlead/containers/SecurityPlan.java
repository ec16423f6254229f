package io.fairlead.containers;

import io.fairlead.api.Pod;
import io.fairlead.api.SecurityContext;
import io.fairlead.containers.ContainerSpec.Privileges;
import io.fairlead.containers.ContainerSpec.User;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// As whom a container runs and what it may do: what its pod and its image say, or a refusal that names the field.
/// Pure.
record SecurityPlan(User user, String home, Privileges privileges, Map<String, String> sysctls) {
    /// Those that change nothing outside of the pod.
    private static final Set<String> SAFE_SYSCTLS = Set.of(
            "kernel.shm_rmid_forced",
            "net.ipv4.ip_local_port_range",
            "net.ipv4.ip_local_reserved_ports",
            "net.ipv4.ip_unprivileged_port_start",
            "net.ipv4.ping_group_range",
            "net.ipv4.tcp_fin_timeout",
            "net.ipv4.tcp_keepalive_intvl",
            "net.ipv4.tcp_keepalive_probes",
            "net.ipv4.tcp_keepalive_time",
            "net.ipv4.tcp_rmem",
            "net.ipv4.tcp_syncookies",
            "net.ipv4.tcp_wmem");

    static SecurityPlan of(Pod pod, Pod.Container container, ImageConfig image, UserTable table) {
        SecurityContext context = container
                .settings()
                .security()
                .over(pod.spec().surroundings().isolation().security());
        if (!context.refused().isEmpty()) {
            throw new NodeException(
                    "securityContext.%s is not supported here".formatted(String.join(", ", context.refused())));
        }
        UserTable.Account account = account(context, image, table);
        requireNonRoot(context, image, account);
        boolean privileged = context.privileged().orElse(false);
        return new SecurityPlan(
                user(context, account, table), account.home(), privileges(context, privileged), sysctls(pod, context));
    }

    private static UserTable.Account account(SecurityContext context, ImageConfig image, UserTable table) {
        long wanted = context.identity().user();
        return table.find(wanted < 0 ? image.user() : Long.toString(wanted));
    }

    /// A name may stand for any number, so only a number proves that it is not root.
    private static void requireNonRoot(SecurityContext context, ImageConfig image, UserTable.Account account) {
        if (!context.identity().nonRoot().orElse(false)) {
            return;
        }
        String name = image.user().split(":", 2)[0];
        if (context.identity().user() < 0 && !name.isEmpty() && !name.matches("[0-9]+")) {
            throw new NodeException(
                    "container has runAsNonRoot and image has non-numeric user (%s), cannot verify user".formatted(name)
                            + " is non-root");
        }
        if (account.id() == 0) {
            throw new NodeException(
                    context.identity().user() == 0
                            ? "container's runAsUser breaks non-root policy"
                            : "container has runAsNonRoot and image will run as root");
        }
    }

    private static User user(SecurityContext context, UserTable.Account account, UserTable table) {
        SecurityContext.Identity identity = context.identity();
        long group = identity.group() < 0 ? account.group() : identity.group();
        Set<Long> groups = new LinkedHashSet<>();
        table.groupsOf(account).forEach(groups::add);
        groups.addAll(identity.supplementalGroups());
        if (identity.fsGroup() >= 0) {
            groups.add(identity.fsGroup());
        }
        groups.remove(group);
        return new User(account.id(), group, groups.stream().toList());
    }

    private static Privileges privileges(SecurityContext context, boolean privileged) {
        if (privileged) {
            return new Privileges(true, Capabilities.ALL, false, false, false);
        }
        return new Privileges(
                false,
                Capabilities.of(context.addedCapabilities(), context.droppedCapabilities()),
                !context.privilegeEscalation().orElse(true),
                !context.seccomp().equals("Unconfined"),
                !context.procMount().equals("Unmasked"));
    }

    private static Map<String, String> sysctls(Pod pod, SecurityContext context) {
        for (String name : context.sysctls().keySet()) {
            boolean hosts = (pod.spec().hostNetwork() && name.startsWith("net."))
                    || (pod.spec().surroundings().isolation().hostIpc() && name.startsWith("kernel."));
            if (!SAFE_SYSCTLS.contains(name) || hosts) {
                throw new NodeException("securityContext.sysctls: %s is not allowed here".formatted(name));
            }
        }
        return new TreeMap<>(context.sysctls());
    }
}
