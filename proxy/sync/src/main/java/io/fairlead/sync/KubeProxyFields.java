package io.fairlead.sync;

import io.fairlead.api.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/// The fields of a `KubeProxyConfiguration`: which there are, of what type, and which of them mean nothing here.
///
/// They are those of Kubernetes 1.36, `udpIdleTimeout`, which is gone and still in many a file, and a section of
/// Fairlead's own.
final class KubeProxyFields {
    private enum Type {
        TEXT,
        NUMBER,
        FLAG,
        DURATION,
        LIST,
        OBJECT,
        ANY;

        /// The rule that a value of another type breaks.
        String rule() {
            return switch (this) {
                case TEXT -> "must be a text";
                case NUMBER -> "must be a whole number";
                case FLAG -> "must be true or false";
                case DURATION -> "must be a duration such as 24h0m0s, 30s or 500ms";
                case LIST -> "must be a list of texts";
                case OBJECT -> "must be an object";
                case ANY -> "";
            };
        }

        boolean fits(JsonNode value) {
            return switch (this) {
                case TEXT -> value.isString();
                case NUMBER -> value.isIntegralNumber() && value.canConvertToInt();
                case FLAG -> value.isBoolean();
                case DURATION ->
                    value.isString()
                            && (value.stringValue().isEmpty()
                                    || GoDuration.find(value.stringValue()).isPresent());
                case LIST ->
                    value.isString() || (value.isArray() && value.valueStream().allMatch(JsonNode::isString));
                case OBJECT -> value.isObject();
                case ANY -> true;
            };
        }
    }

    private record Field(String path, Type type, boolean isRead) {}

    private static Field read(String path, Type type) {
        return new Field(path, type, true);
    }

    /// It is a field of kube-proxy's, and means nothing here.
    private static Field ignored(String path, Type type) {
        return new Field(path, type, false);
    }

    /// Every field, by its path from the top.
    private static final Map<String, Field> FIELDS = Stream.of(
                    read("apiVersion", Type.TEXT),
                    read("kind", Type.TEXT),
                    read("clientConnection", Type.OBJECT),
                    read("hostnameOverride", Type.TEXT),
                    read("bindAddress", Type.TEXT),
                    read("healthzBindAddress", Type.TEXT),
                    read("metricsBindAddress", Type.TEXT),
                    read("bindAddressHardFail", Type.FLAG),
                    read("mode", Type.TEXT),
                    read("iptables", Type.OBJECT),
                    read("ipvs", Type.OBJECT),
                    read("nftables", Type.OBJECT),
                    read("detectLocalMode", Type.TEXT),
                    read("detectLocal", Type.OBJECT),
                    read("clusterCIDR", Type.TEXT),
                    read("nodePortAddresses", Type.LIST),
                    read("conntrack", Type.OBJECT),
                    read("featureGates", Type.OBJECT),
                    read(IpvsSettings.OWN, Type.OBJECT),
                    ignored("logging", Type.ANY),
                    ignored("enableProfiling", Type.FLAG),
                    ignored("showHiddenMetricsForVersion", Type.TEXT),
                    ignored("winkernel", Type.ANY),
                    ignored("oomScoreAdj", Type.NUMBER),
                    ignored("configSyncPeriod", Type.DURATION),
                    ignored("portRange", Type.TEXT),
                    ignored("windowsRunAsService", Type.FLAG),
                    ignored("udpIdleTimeout", Type.DURATION),
                    read("clientConnection.kubeconfig", Type.TEXT),
                    ignored("clientConnection.acceptContentTypes", Type.TEXT),
                    ignored("clientConnection.contentType", Type.TEXT),
                    ignored("clientConnection.qps", Type.ANY),
                    ignored("clientConnection.burst", Type.NUMBER),
                    read("iptables.masqueradeBit", Type.NUMBER),
                    read("iptables.masqueradeAll", Type.FLAG),
                    read("iptables.localhostNodePorts", Type.FLAG),
                    ignored("iptables.syncPeriod", Type.DURATION),
                    ignored("iptables.minSyncPeriod", Type.DURATION),
                    read("nftables.masqueradeBit", Type.NUMBER),
                    read("nftables.masqueradeAll", Type.FLAG),
                    ignored("nftables.syncPeriod", Type.DURATION),
                    ignored("nftables.minSyncPeriod", Type.DURATION),
                    read("ipvs.syncPeriod", Type.DURATION),
                    ignored("ipvs.minSyncPeriod", Type.DURATION),
                    read("ipvs.scheduler", Type.TEXT),
                    read("ipvs.excludeCIDRs", Type.LIST),
                    read("ipvs.strictARP", Type.FLAG),
                    read("ipvs.tcpTimeout", Type.DURATION),
                    read("ipvs.tcpFinTimeout", Type.DURATION),
                    read("ipvs.udpTimeout", Type.DURATION),
                    read(IpvsSettings.OWN + ".vipDevice", Type.TEXT),
                    read(IpvsSettings.OWN + ".vipPrefix", Type.NUMBER),
                    read(IpvsSettings.OWN + ".drainTimeout", Type.DURATION),
                    read(IpvsSettings.OWN + ".cgroup", Type.TEXT),
                    read(IpvsSettings.OWN + ".resetAfter", Type.DURATION),
                    read("detectLocal.bridgeInterface", Type.TEXT),
                    read("detectLocal.interfaceNamePrefix", Type.TEXT),
                    read("conntrack.maxPerCore", Type.NUMBER),
                    read("conntrack.min", Type.NUMBER),
                    read("conntrack.tcpEstablishedTimeout", Type.DURATION),
                    read("conntrack.tcpCloseWaitTimeout", Type.DURATION),
                    read("conntrack.tcpBeLiberal", Type.FLAG),
                    read("conntrack.udpTimeout", Type.DURATION),
                    read("conntrack.udpStreamTimeout", Type.DURATION))
            .collect(Collectors.toUnmodifiableMap(Field::path, Function.identity()));

    private KubeProxyFields() {}

    /// Fields that are not there in kube-proxy's, and values of the wrong type.
    static List<Problem> problems(JsonNode tree) {
        List<Problem> problems = new ArrayList<>();
        check("", tree, problems);
        return problems;
    }

    private static void check(String path, JsonNode object, List<Problem> problems) {
        object.propertyStream().forEach(property -> {
            String full = path.isEmpty() ? property.getKey() : path + "." + property.getKey();
            JsonNode value = property.getValue();
            Field field = FIELDS.get(full);
            if (field == null) {
                problems.add(Problem.forbidden(full, "unknown field"));
            } else if (!value.isNull() && !field.type().fits(value)) {
                problems.add(Problem.invalid(full, value, field.type().rule()));
            } else if (hasFields(full)) {
                check(full, value, problems);
            }
        });
    }

    private static boolean hasFields(String path) {
        return FIELDS.keySet().stream().anyMatch(other -> other.startsWith(path + "."));
    }

    /// The fields that are there and mean nothing here.
    static Set<String> unused(JsonNode tree) {
        return FIELDS.values().stream()
                .filter(field -> !field.isRead() && isThere(tree, field.path()))
                .map(Field::path)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static boolean isThere(JsonNode tree, String path) {
        JsonNode found = tree;
        for (String name : path.split("\\.", -1)) {
            found = found.path(name);
        }
        return !found.isMissingNode();
    }
}
