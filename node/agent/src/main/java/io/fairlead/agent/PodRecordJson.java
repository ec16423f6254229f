package io.fairlead.agent;

import io.fairlead.agent.PodRecord.Stage;
import io.fairlead.api.Ip;
import io.fairlead.api.Json;
import io.fairlead.api.NamespacedName;
import io.fairlead.containers.ContainerRecord;
import io.fairlead.containers.ContainerRecord.State;
import io.fairlead.containers.PodNames;
import io.fairlead.containers.ProcessId;
import java.time.Instant;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// A [PodRecord] as JSON and back.
final class PodRecordJson {
    private PodRecordJson() {}

    static ObjectNode format(PodRecord record) {
        ObjectNode json = Json.object()
                .put("namespace", record.key().namespace())
                .put("name", record.key().name())
                .put("uid", record.uid())
                .put("startTime", record.startTime().toString());
        json.putObject("names")
                .put("folder", record.names().folder())
                .put("namespace", record.names().namespace())
                .put("link", record.names().link());
        json.set("stage", stage(record.stage()));
        ArrayNode addresses = json.putArray("addresses");
        record.addresses().forEach(ip -> addresses.add(ip.toString()));
        ArrayNode containers = json.putArray("containers");
        record.containers().forEach(container -> containers.add(container(container)));
        return json;
    }

    static PodRecord parse(JsonNode json) {
        JsonNode names = json.path("names");
        return new PodRecord(
                new NamespacedName(Json.text(json, "namespace"), Json.text(json, "name")),
                Json.text(json, "uid"),
                new PodNames(Json.text(names, "folder"), Json.text(names, "namespace"), Json.text(names, "link")),
                Json.texts(json, "addresses").stream().map(Ip::parse).toList(),
                instant(json, "startTime"),
                stage(json.path("stage")),
                Json.list(json, PodRecordJson::container, "containers"));
    }

    private static ObjectNode stage(Stage stage) {
        return switch (stage) {
            case Stage.Staying _ -> Json.object().put("is", "staying");
            case Stage.Evicted(String reason) ->
                Json.object().put("is", "evicted").put("reason", reason);
            case Stage.Leaving(Instant since) ->
                Json.object().put("is", "leaving").put("since", since.toString());
            case Stage.Withdrawn(Instant since, Instant at) ->
                Json.object()
                        .put("is", "withdrawn")
                        .put("since", since.toString())
                        .put("at", at.toString());
            case Stage.Signalled(Instant since) ->
                Json.object().put("is", "signalled").put("since", since.toString());
        };
    }

    private static Stage stage(JsonNode json) {
        return switch (Json.text(json, "is")) {
            case "evicted" -> new Stage.Evicted(Json.text(json, "reason"));
            case "leaving" -> new Stage.Leaving(instant(json, "since"));
            case "withdrawn" -> new Stage.Withdrawn(instant(json, "since"), instant(json, "at"));
            case "signalled" -> new Stage.Signalled(instant(json, "since"));
            default -> new Stage.Staying();
        };
    }

    private static ObjectNode container(ContainerRecord container) {
        ObjectNode json = Json.object()
                .put("name", container.name())
                .put("restarts", container.restarts())
                .put("crashes", container.crashes());
        json.set("now", state(container.now()));
        json.set("before", state(container.before()));
        return json;
    }

    private static ContainerRecord container(JsonNode json) {
        return new ContainerRecord(
                Json.text(json, "name"),
                Json.number(json, 0, "restarts"),
                Json.number(json, 0, "crashes"),
                state(json.path("now")),
                state(json.path("before")));
    }

    private static ObjectNode state(State state) {
        return switch (state) {
            // Why it was refused may have changed when the agent comes back: it is tried anew.
            case State.New _, State.Refused _ -> Json.object().put("is", "new");
            case State.Running(ProcessId process, Instant startedAt) ->
                Json.object()
                        .put("is", "running")
                        .put("pid", process.pid())
                        .put("startTicks", process.startTicks())
                        .put("startedAt", startedAt.toString());
            case State.Exited exited ->
                Json.object()
                        .put("is", "exited")
                        .put("exitCode", exited.exitCode())
                        .put("reason", exited.reason())
                        .put("message", exited.message())
                        .put("startedAt", exited.startedAt().toString())
                        .put("finishedAt", exited.finishedAt().toString());
        };
    }

    private static State state(JsonNode json) {
        return switch (Json.text(json, "is")) {
            case "running" ->
                new State.Running(
                        new ProcessId(
                                json.path("pid").longValue(),
                                json.path("startTicks").longValue()),
                        instant(json, "startedAt"));
            case "exited" ->
                new State.Exited(
                        Json.number(json, 0, "exitCode"),
                        Json.text(json, "reason"),
                        Json.text(json, "message"),
                        instant(json, "startedAt"),
                        instant(json, "finishedAt"));
            default -> new State.New();
        };
    }

    private static Instant instant(JsonNode json, String field) {
        return Instant.parse(Json.text(json, field));
    }
}
