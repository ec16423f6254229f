package io.fairlead.sync;

import io.fairlead.api.Cidr;
import io.fairlead.api.Json;
import io.fairlead.api.Problem;
import io.fairlead.forwarding.Scheduler;
import io.fairlead.ipvs.IpvsOptions;
import io.fairlead.ipvs.IpvsTimeouts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What a `KubeProxyConfiguration` says of the mode ipvs: kube-proxy's own section `ipvs`, and what only Fairlead has
/// in the section `fairlead`. Pure.
final class IpvsSettings {
    /// The section of what kube-proxy does not have.
    static final String OWN = "fairlead";

    private static final Pattern DEVICE = Pattern.compile("[^/\\s:]{1,15}");
    private static final long MOST_SECONDS = Integer.MAX_VALUE / 1_000; // the kernel counts them in shorter ticks

    private IpvsSettings() {}

    static IpvsOptions of(JsonNode tree) {
        JsonNode ipvs = tree.path("ipvs");
        JsonNode own = tree.path(OWN);
        IpvsOptions usual = IpvsOptions.DEFAULT;
        String device = Json.text(own, "vipDevice");
        return usual.withExcluded(excluded(ipvs))
                .withStrictArp(Json.flag(ipvs, false, "strictARP"))
                .withTimeouts(new IpvsTimeouts(
                        duration(ipvs, "tcpTimeout", Duration.ZERO),
                        duration(ipvs, "tcpFinTimeout", Duration.ZERO),
                        duration(ipvs, "udpTimeout", Duration.ZERO)))
                .withCompare(unlessZero(duration(ipvs, "syncPeriod", Duration.ZERO), usual.compare()))
                .withDrain(duration(own, "drainTimeout", usual.drain()))
                .withDevice(device.isEmpty() ? usual.device() : device, Json.number(own, usual.prefix(), "vipPrefix"));
    }

    static List<Problem> problems(JsonNode tree) {
        List<Problem> problems = new ArrayList<>();
        JsonNode ipvs = tree.path("ipvs");
        String scheduler = Json.text(ipvs, "scheduler");
        if (!scheduler.isEmpty() && Scheduler.find(scheduler).isEmpty()) {
            problems.add(Problem.invalid("ipvs.scheduler", scheduler, "must be the name of a scheduler of IPVS"));
        }
        for (String text : texts(ipvs)) {
            if (Cidr.find(text).isEmpty()) {
                problems.add(Problem.invalid("ipvs.excludeCIDRs", text, "must be a CIDR"));
            }
        }
        for (String field : List.of("tcpTimeout", "tcpFinTimeout", "udpTimeout")) {
            if (duration(ipvs, field, Duration.ZERO).toSeconds() > MOST_SECONDS) {
                problems.add(Problem.invalid(
                        "ipvs." + field, Json.text(ipvs, field), "must be at most %ds".formatted(MOST_SECONDS)));
            }
        }
        String device = Json.text(tree, OWN, "vipDevice");
        if (!device.isEmpty() && !DEVICE.matcher(device).matches()) {
            problems.add(Problem.invalid(OWN + ".vipDevice", device, "must be the name of a network device"));
        }
        int prefix = Json.number(tree, 1, OWN, "vipPrefix");
        if (prefix < 1 || prefix > IpvsOptions.DEFAULT.prefix()) {
            problems.add(Problem.invalid(OWN + ".vipPrefix", Integer.toString(prefix), "must be from 1 to 128"));
        }
        return problems;
    }

    /// Writes what [#of] reads, where it is not the default.
    static void write(IpvsOptions options, Scheduler scheduler, ObjectNode tree) {
        ObjectNode ipvs = tree.putObject("ipvs");
        if (scheduler != Scheduler.NODE_DEFAULT) {
            ipvs.put("scheduler", scheduler.toString());
        }
        ipvs.put("strictARP", options.strictArp())
                .put("syncPeriod", text(options.compare()))
                .put("tcpTimeout", text(options.timeouts().tcp()))
                .put("tcpFinTimeout", text(options.timeouts().tcpFin()))
                .put("udpTimeout", text(options.timeouts().udp()));
        options.excluded()
                .forEach(network -> ipvs.withArrayProperty("excludeCIDRs").add(network.toString()));
        tree.putObject(OWN)
                .put("vipDevice", options.device())
                .put("vipPrefix", options.prefix())
                .put("drainTimeout", text(options.drain()));
    }

    private static String text(Duration duration) {
        return duration.toMillis() % 1_000 == 0 ? duration.toSeconds() + "s" : duration.toMillis() + "ms";
    }

    private static List<Cidr> excluded(JsonNode ipvs) {
        return texts(ipvs).stream().flatMap(text -> Cidr.find(text).stream()).collect(Collectors.toUnmodifiableList());
    }

    /// A list, or one text with commas.
    private static List<String> texts(JsonNode ipvs) {
        List<String> texts = ipvs.path("excludeCIDRs").isArray()
                ? Json.texts(ipvs, "excludeCIDRs")
                : Arrays.asList(Json.text(ipvs, "excludeCIDRs").split(",", -1));
        return texts.stream().map(String::strip).filter(text -> !text.isEmpty()).toList();
    }

    private static Duration unlessZero(Duration duration, Duration usual) {
        return duration.isZero() ? usual : duration;
    }

    private static Duration duration(JsonNode tree, String field, Duration usual) {
        String text = Json.text(tree, field);
        return text.isEmpty() ? usual : GoDuration.find(text).orElse(usual);
    }
}
