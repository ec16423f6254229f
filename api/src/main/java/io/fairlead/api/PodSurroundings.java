package io.fairlead.api;

import java.util.List;
import tools.jackson.databind.JsonNode;

/// What the containers of a pod find around them: names, volumes, an account.
public record PodSurroundings(
        Dns dns,
        List<HostAlias> hostAliases,
        List<Volume> volumes,
        boolean enableServiceLinks,
        String serviceAccountName,
        boolean automountToken,
        PodIsolation isolation) {

    /// How names are looked up; `policy` is the word of the API, and the lists add to what it gives.
    public record Dns(String policy, List<String> nameservers, List<String> searches, List<String> options) {
        private static Dns of(JsonNode spec) {
            String policy = Json.text(spec, "dnsPolicy");
            JsonNode config = spec.path("dnsConfig");
            return new Dns(
                    policy.isEmpty() ? "ClusterFirst" : policy,
                    Json.texts(config, "nameservers"),
                    Json.texts(config, "searches"),
                    Json.list(config, Dns::option, "options"));
        }

        private static String option(JsonNode json) {
            String value = Json.text(json, "value");
            return Json.text(json, "name") + (value.isEmpty() ? "" : ":" + value);
        }
    }

    /// A line of `/etc/hosts`.
    public record HostAlias(String ip, List<String> names) {}

    static PodSurroundings of(JsonNode spec) {
        String account = Json.text(spec, "serviceAccountName");
        return new PodSurroundings(
                Dns.of(spec),
                Json.list(
                        spec,
                        json -> new HostAlias(Json.text(json, "ip"), Json.texts(json, "hostnames")),
                        "hostAliases"),
                Json.list(spec, Volume::of, "volumes"),
                Json.flag(spec, true, "enableServiceLinks"),
                account.isEmpty() ? "default" : account,
                // A pod that the API server gave an account has the files of it among its volumes, or wants none.
                account.isEmpty() && Json.flag(spec, true, "automountServiceAccountToken"),
                PodIsolation.of(spec));
    }
}
