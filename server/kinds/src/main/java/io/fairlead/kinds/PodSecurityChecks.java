package io.fairlead.kinds;

import io.fairlead.api.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/// What in a pod goes beyond a level of the Pod Security Standards, as Kubernetes v1.36 reads them. Pure.
///
/// Each finding is `what (who must do what)`; the words before the parenthesis are those of Kubernetes, which tools
/// look for.
public final class PodSecurityChecks {
    private static final String SECURITY = "securityContext";
    private static final Set<String> SELINUX_TYPES =
            Set.of("", "container_t", "container_init_t", "container_kvm_t", "container_engine_t");
    private static final Set<String> FIRST_SYSCTLS = Set.of(
            "kernel.shm_rmid_forced",
            "net.ipv4.ip_local_port_range",
            "net.ipv4.ip_unprivileged_port_start",
            "net.ipv4.tcp_syncookies",
            "net.ipv4.ping_group_range");
    private static final Set<String> SYSCTLS_OF_29 = Set.of(
            "net.ipv4.tcp_fin_timeout",
            "net.ipv4.tcp_keepalive_intvl",
            "net.ipv4.tcp_keepalive_probes",
            "net.ipv4.tcp_keepalive_time");
    private static final Set<String> SYSCTLS_OF_32 = Set.of("net.ipv4.tcp_rmem", "net.ipv4.tcp_wmem");
    private static final String APP_ARMOR = "container.apparmor.security.beta.kubernetes.io/";
    private static final int PROBE_HOSTS = 34;
    private static final int RESERVED_PORTS = 27;

    private final JsonNode pod;
    private final JsonNode spec;
    private final int minor;
    private final List<String> found = new ArrayList<>();

    private PodSecurityChecks(JsonNode pod, int minor) {
        this.pod = pod;
        this.spec = pod.path("spec");
        this.minor = minor;
    }

    /// What goes beyond the rule; `pod` is a Pod, or a template of one.
    public static List<String> violations(JsonNode pod, PodSecurityPolicy.Rule rule) {
        PodSecurityChecks checks = new PodSecurityChecks(pod, rule.minor());
        switch (rule.level()) {
            case PRIVILEGED -> {}
            case BASELINE -> {
                checks.checkBaseline();
                checks.checkDefaultCapabilities();
                checks.checkSeccompIsNotOff();
            }
            case RESTRICTED -> {
                checks.checkBaseline();
                checks.found.addAll(RestrictedChecks.violations(checks.spec, rule.minor()));
            }
        }
        return checks.found.stream().sorted().toList();
    }

    private void checkBaseline() {
        checkAppArmor();
        checkHostNamespaces();
        checkVolumes();
        checkHostPorts();
        checkFlag("hostProcess", "windowsOptions", "hostProcess");
        checkFlag("privileged", "privileged");
        checkProcMount();
        checkSelinux();
        checkSysctls();
        if (minor >= PROBE_HOSTS) {
            checkProbeHosts();
        }
    }

    private void checkHostNamespaces() {
        String names = Stream.of("hostNetwork", "hostPID", "hostIPC")
                .filter(field -> Json.flag(spec, false, field))
                .map(field -> field + "=true")
                .collect(Collectors.joining(", "));
        report(!names.isEmpty(), "host namespaces", names);
    }

    private void checkVolumes() {
        String names = quoted(spec.path("volumes")
                .valueStream()
                .filter(volume -> volume.hasNonNull("hostPath"))
                .map(volume -> Json.text(volume, "name")));
        report(!names.isEmpty(), "hostPath volumes", "volumes " + names);
    }

    private void checkHostPorts() {
        String names = names(container ->
                container.path("ports").valueStream().anyMatch(port -> Json.number(port, 0, "hostPort") != 0));
        report(!names.isEmpty(), "hostPort", names + " must not use a hostPort");
    }

    /// A field of the security context that must not be true.
    private void checkFlag(String what, String... path) {
        String field = SECURITY + "." + String.join(".", path);
        boolean podWide = path.length > 1 && Json.flag(spec.path(SECURITY), false, path);
        report(podWide, what, "the pod must not set %s=true".formatted(field));
        String names = names(container -> Json.flag(container.path(SECURITY), false, path));
        report(!names.isEmpty(), what, "%s must not set %s=true".formatted(names, field));
    }

    private void checkProcMount() {
        String names = names(container -> {
            String mount = Json.text(container, SECURITY, "procMount");
            return !mount.isEmpty() && !mount.equals("Default");
        });
        report(!names.isEmpty(), "procMount", names + " must not set securityContext.procMount to \"Unmasked\"");
    }

    private void checkSelinux() {
        Predicate<JsonNode> breaks = security -> {
            JsonNode options = security.path("seLinuxOptions");
            return !SELINUX_TYPES.contains(Json.text(options, "type"))
                    || !Json.text(options, "user").isEmpty()
                    || !Json.text(options, "role").isEmpty();
        };
        reportEverywhere("seLinuxOptions", breaks, "must not set seLinuxOptions of its own type, user or role");
    }

    private void checkSysctls() {
        String names = quoted(Json.at(spec, SECURITY, "sysctls")
                .valueStream()
                .map(sysctl -> Json.text(sysctl, "name"))
                .filter(name -> !isAllowed(name)));
        report(!names.isEmpty(), "forbidden sysctls", names);
    }

    private boolean isAllowed(String sysctl) {
        return FIRST_SYSCTLS.contains(sysctl)
                || (minor >= RESERVED_PORTS && sysctl.equals("net.ipv4.ip_local_reserved_ports"))
                || (minor >= 29 && SYSCTLS_OF_29.contains(sysctl))
                || (minor >= 32 && SYSCTLS_OF_32.contains(sysctl));
    }

    private void checkAppArmor() {
        Predicate<JsonNode> breaks =
                security -> Json.text(security, "appArmorProfile", "type").equals("Unconfined");
        reportEverywhere("forbidden AppArmor profile", breaks, "must not set appArmorProfile.type to \"Unconfined\"");
        String annotations = quoted(Json.at(pod, "metadata", "annotations")
                .propertyStream()
                .filter(entry -> entry.getKey().startsWith(APP_ARMOR))
                .filter(entry -> {
                    String profile = entry.getValue().asString("");
                    return !profile.isEmpty()
                            && !profile.equals("runtime/default")
                            && !profile.startsWith("localhost/");
                })
                .map(java.util.Map.Entry::getKey));
        report(!annotations.isEmpty(), "forbidden AppArmor profiles", "annotations " + annotations);
    }

    private void checkDefaultCapabilities() {
        String names = names(container -> Json.texts(container, SECURITY, "capabilities", "add").stream()
                .anyMatch(capability -> !RestrictedChecks.DEFAULT_CAPABILITIES.contains(capability)));
        String added = quoted(RestrictedChecks.containers(spec)
                .flatMap(container -> Json.texts(container, SECURITY, "capabilities", "add").stream())
                .filter(capability -> !RestrictedChecks.DEFAULT_CAPABILITIES.contains(capability))
                .distinct()
                .sorted());
        report(
                !names.isEmpty(),
                "non-default capabilities",
                "%s must not include %s in securityContext.capabilities.add".formatted(names, added));
    }

    private void checkSeccompIsNotOff() {
        Predicate<JsonNode> breaks =
                security -> Json.text(security, "seccompProfile", "type").equals("Unconfined");
        reportEverywhere(
                "seccompProfile", breaks, "must not set securityContext.seccompProfile.type to \"Unconfined\"");
    }

    private void checkProbeHosts() {
        String names = names(container -> Stream.of(
                        container.path("livenessProbe"),
                        container.path("readinessProbe"),
                        container.path("startupProbe"),
                        Json.at(container, "lifecycle", "postStart"),
                        Json.at(container, "lifecycle", "preStop"))
                .anyMatch(action -> !Json.text(action, "httpGet", "host").isEmpty()
                        || !Json.text(action, "tcpSocket", "host").isEmpty()));
        report(!names.isEmpty(), "probe or lifecycle host", names + " must not name a host in a probe or a hook");
    }

    /// Looks at the security contexts of the pod and of its containers.
    private void reportEverywhere(String what, Predicate<JsonNode> breaks, String rule) {
        List<String> who = new ArrayList<>();
        if (breaks.test(spec.path(SECURITY))) {
            who.add("the pod");
        }
        String names = names(container -> breaks.test(container.path(SECURITY)));
        if (!names.isEmpty()) {
            who.add(names);
        }
        report(!who.isEmpty(), what, "%s %s".formatted(String.join(" and ", who), rule));
    }

    private String names(Predicate<JsonNode> breaks) {
        return RestrictedChecks.names(spec, breaks);
    }

    private static String quoted(Stream<String> names) {
        return names.map(name -> "\"" + name + "\"").collect(Collectors.joining(", "));
    }

    private void report(boolean broken, String what, String who) {
        if (broken) {
            found.add("%s (%s)".formatted(what, who));
        }
    }
}
