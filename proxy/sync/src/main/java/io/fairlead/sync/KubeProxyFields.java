package io.fairlead.sync;

import static java.util.Map.entry;

import io.fairlead.api.Problem;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
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

        /// What a value of the wrong type is told.
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

    private record Field(String name, Type type, boolean used) {
        /// `name`, a text; `name:number`; with a `-` before it, it means nothing here.
        static Field of(String word) {
            boolean used = !word.startsWith("-");
            String[] parts = word.substring(used ? 0 : 1).split(":", -1);
            Type type = parts.length == 1 ? Type.TEXT : Type.valueOf(parts[1]);
            return new Field(parts[0], type, used);
        }
    }

    /// The fields of each object; those of `""` stand at the top.
    private static final Map<String, Map<String, Field>> FIELDS = Map.ofEntries(
            entry(
                    "",
                    fields("apiVersion kind clientConnection:OBJECT hostnameOverride bindAddress healthzBindAddress"
                            + " metricsBindAddress bindAddressHardFail:FLAG mode iptables:OBJECT ipvs:OBJECT"
                            + " nftables:OBJECT detectLocalMode detectLocal:OBJECT clusterCIDR nodePortAddresses:LIST"
                            + " conntrack:OBJECT featureGates:OBJECT fairlead:OBJECT -logging:ANY -enableProfiling:FLAG"
                            + " -showHiddenMetricsForVersion -winkernel:ANY -oomScoreAdj:NUMBER"
                            + " -configSyncPeriod:DURATION -portRange -windowsRunAsService:FLAG"
                            + " -udpIdleTimeout:DURATION")),
            entry("clientConnection", fields("kubeconfig -acceptContentTypes -contentType -qps:ANY -burst:NUMBER")),
            entry(
                    "iptables",
                    fields("masqueradeBit:NUMBER masqueradeAll:FLAG localhostNodePorts:FLAG -syncPeriod:DURATION"
                            + " -minSyncPeriod:DURATION")),
            entry(
                    "nftables",
                    fields("masqueradeBit:NUMBER masqueradeAll:FLAG -syncPeriod:DURATION -minSyncPeriod:DURATION")),
            entry(
                    "ipvs",
                    fields("syncPeriod:DURATION -minSyncPeriod:DURATION scheduler excludeCIDRs:LIST strictARP:FLAG"
                            + " tcpTimeout:DURATION tcpFinTimeout:DURATION udpTimeout:DURATION")),
            entry(IpvsSettings.OWN, fields("vipDevice vipPrefix:NUMBER drainTimeout:DURATION")),
            entry("detectLocal", fields("bridgeInterface interfaceNamePrefix")),
            entry(
                    "conntrack",
                    fields("maxPerCore:NUMBER min:NUMBER tcpEstablishedTimeout:DURATION tcpCloseWaitTimeout:DURATION"
                            + " tcpBeLiberal:FLAG udpTimeout:DURATION udpStreamTimeout:DURATION")));

    private KubeProxyFields() {}

    private static Map<String, Field> fields(String words) {
        return Arrays.stream(words.split(" ", -1))
                .map(Field::of)
                .collect(Collectors.toUnmodifiableMap(Field::name, Function.identity()));
    }

    /// Fields that are not there in kube-proxy's, and values of the wrong type.
    static List<Problem> problems(JsonNode tree) {
        List<Problem> problems = new ArrayList<>();
        check("", tree, problems);
        return problems;
    }

    private static void check(String path, JsonNode object, List<Problem> problems) {
        Map<String, Field> known = FIELDS.getOrDefault(path, Map.of());
        object.propertyStream().forEach(property -> {
            String name = property.getKey();
            JsonNode value = property.getValue();
            Field field = known.get(name);
            if (field == null) {
                problems.add(Problem.forbidden(full(path, name), "unknown field"));
            } else if (!value.isNull() && !field.type().fits(value)) {
                problems.add(
                        Problem.invalid(full(path, name), value, field.type().rule()));
            } else if (path.isEmpty() && FIELDS.containsKey(name)) {
                check(name, value, problems);
            }
        });
    }

    /// The fields that are there and mean nothing here.
    static Set<String> unused(JsonNode tree) {
        Set<String> unused = new TreeSet<>();
        FIELDS.forEach((path, fields) -> fields.values().stream()
                .filter(field -> !field.used() && (path.isEmpty() ? tree : tree.path(path)).has(field.name()))
                .forEach(field -> unused.add(full(path, field.name()))));
        return unused;
    }

    private static String full(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }
}
