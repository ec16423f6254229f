package io.fairlead.http;

import io.fairlead.api.Json;
import io.fairlead.kinds.KindRules;
import io.fairlead.kinds.Stamp;
import io.fairlead.kinds.Tree;
import io.fairlead.objects.ApiObject;
import io.fairlead.objects.ListPieces;
import io.fairlead.objects.StatusException;
import io.fairlead.objects.TableFormat;
import io.fairlead.yaml.Yaml;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Response;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Writes answers to the wire, in the form that the client asked for.
final class AnswerWriter {
    private final Stamp stamp;
    private final ServerMetrics metrics;
    private final ListPieces pieces;

    AnswerWriter(Stamp stamp, ServerMetrics metrics, ListPieces pieces) {
        this.stamp = stamp;
        this.metrics = metrics;
        this.pieces = pieces;
    }

    void write(Answer answer, ApiRequest request, Response response) throws IOException, InterruptedException {
        BodyWriter out = new BodyWriter(request, response);
        switch (answer) {
            case Answer.One one -> write(one, KindFace.plain(one.rules().kind()), request, out);
            case Answer.Many many -> write(many, KindFace.plain(many.rules().kind()), request, out);
            case Answer.Faced(Answer.One one, KindFace face) -> write(one, face, request, out);
            case Answer.Faced(Answer.Many many, KindFace face) -> write(many, face, request, out);
            case Answer.Faced(Answer other, KindFace _) -> write(other, request, response);
            case Answer.Document(int code, ObjectNode json) -> {
                boolean yaml = request.wantsYaml();
                out.send(
                        code,
                        yaml ? Representation.YAML_TYPE : Representation.JSON_TYPE,
                        yaml ? yaml(json) : Json.bytes(json));
            }
            case Answer.Page page -> out.send(page);
            case Answer.Text(int code, String type, String text) ->
                out.send(code, type, text.getBytes(StandardCharsets.UTF_8));
            case Answer.Stream(WatchStream watch) -> stream(watch, out);
            case Answer.Piped piped -> out.pipe(piped);
            case Answer.Tunnel tunnel -> {
                Answer.closeQuietly(tunnel.socket()); // only HTTP/1.1 has connections that can become something else
                throw new IllegalStateException("a tunnel is taken by Tunnels");
            }
        }
    }

    /// Tells a client what was wrong, whatever form it asked for.
    void write(StatusException refused, Response response) throws IOException {
        if (refused.retryAfterSeconds() > 0) {
            response.getHeaders().put(HttpHeader.RETRY_AFTER, refused.retryAfterSeconds());
        }
        BodyWriter.send(response, refused.code(), Representation.JSON_TYPE, Json.bytes(refused.status()));
    }

    private void write(Answer.One one, KindFace face, ApiRequest request, BodyWriter out) throws IOException {
        one.warnings().forEach(out::warn);
        face.warnings().forEach(out::warn);
        Representation form = request.representation();
        byte[] body = switch (form) {
            case OBJECT -> face.show(one.object()).json();
            case YAML -> yaml(face.show(one.object()).tree());
            case TABLE -> {
                ObjectNode table = table(one.rules(), List.of(one.object()), request);
                String revision = Json.text(one.object().tree(), "metadata", "resourceVersion");
                if (!revision.isEmpty()) {
                    Tree.object(table, "metadata").put("resourceVersion", revision);
                }
                yield Json.bytes(table);
            }
            case METADATA -> Json.bytes(TableFormat.metadataOnly(one.object().tree()));
        };
        out.send(one.code(), form.contentType(), body);
    }

    private void write(Answer.Many many, KindFace face, ApiRequest request, BodyWriter out)
            throws IOException, InterruptedException {
        face.warnings().forEach(out::warn);
        List<ApiObject> items = many.listing().items();
        Representation form = request.representation();
        switch (form) {
            case OBJECT ->
                out.sendList(
                        head(many, face),
                        items.stream().map(face::show).toList(),
                        face.isPlain() ? pieces : ListPieces.none());
            case YAML -> out.send(200, form.contentType(), yaml(many, face));
            case TABLE -> {
                ObjectNode table = table(many.rules(), items, request);
                fillMetadata(Tree.object(table, "metadata"), many);
                out.send(200, form.contentType(), Json.bytes(table));
            }
            case METADATA -> {
                ObjectNode list = TableFormat.metadataList(items);
                fillMetadata(Tree.object(list, "metadata"), many);
                out.send(200, form.contentType(), Json.bytes(list));
            }
        }
    }

    private ObjectNode table(KindRules rules, List<ApiObject> items, ApiRequest request) {
        return TableFormat.table(rules, items, request.query("includeObject"), stamp.now());
    }

    private static byte[] yaml(Answer.Many many, KindFace face) {
        ObjectNode list = head(many, face);
        ArrayNode items = list.putArray("items");
        many.listing().items().forEach(item -> {
            ObjectNode shown = Json.object();
            shown.setAll(face.show(item).tree());
            items.add(shown.remove(List.of("kind", "apiVersion")));
        });
        return yaml(list);
    }

    /// YAML as Kubernetes writes it: the fields of each object by their names.
    static byte[] yaml(JsonNode tree) {
        return Yaml.format(sorted(tree)).getBytes(StandardCharsets.UTF_8);
    }

    private static JsonNode sorted(JsonNode tree) {
        return switch (tree) {
            case ObjectNode object -> {
                ObjectNode sorted = Json.object();
                object.propertyNames().stream().sorted().forEach(name -> sorted.set(name, sorted(object.path(name))));
                yield sorted;
            }
            case ArrayNode list -> {
                ArrayNode sorted = Json.object().putArray("items");
                list.forEach(item -> sorted.add(sorted(item)));
                yield sorted;
            }
            default -> tree;
        };
    }

    /// A list without its items.
    private static ObjectNode head(Answer.Many many, KindFace face) {
        ObjectNode list = Json.object()
                .put("kind", face.served().name() + "List")
                .put("apiVersion", face.served().apiVersion());
        fillMetadata(list.putObject("metadata"), many);
        return list;
    }

    private static void fillMetadata(ObjectNode metadata, Answer.Many many) {
        metadata.put("resourceVersion", many.listing().revision().toString());
        Answer.Rest rest = many.rest();
        if (!rest.token().isEmpty()) {
            metadata.put("continue", rest.token());
        }
        if (rest.count() >= 0) {
            metadata.put("remainingItemCount", rest.count());
        }
    }

    private void stream(WatchStream watch, BodyWriter out) throws IOException, InterruptedException {
        metrics.watchBegins();
        try {
            watch.writeTo(out.begin(Representation.JSON_TYPE));
        } finally {
            metrics.watchEnds();
        }
    }
}
