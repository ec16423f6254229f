package io.fairlead.apiserver;

import io.fairlead.api.Json;
import io.fairlead.api.Yaml;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Response;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Writes answers to the wire, in the form that the client asked for.
final class AnswerWriter {
    private static final int BUFFER = 64 * 1024;

    private final Stamp stamp;
    private final ServerMetrics metrics;

    AnswerWriter(Stamp stamp, ServerMetrics metrics) {
        this.stamp = stamp;
        this.metrics = metrics;
    }

    void write(Answer answer, ApiRequest request, Response response) throws IOException, InterruptedException {
        switch (answer) {
            case Answer.One one -> write(one, request, response);
            case Answer.Many many -> write(many, request, response);
            case Answer.Document(int code, ObjectNode json) ->
                send(response, code, Representation.JSON_TYPE, Json.bytes(json));
            case Answer.Text(int code, String type, String text) ->
                send(response, code, type, text.getBytes(StandardCharsets.UTF_8));
            case Answer.Stream(WatchStream watch) -> stream(watch, response);
        }
    }

    /// Tells a client what was wrong, whatever form it asked for.
    void write(ApiException refused, Response response) throws IOException {
        if (refused.retryAfterSeconds() > 0) {
            response.getHeaders().put(HttpHeader.RETRY_AFTER, refused.retryAfterSeconds());
        }
        send(response, refused.code(), Representation.JSON_TYPE, Json.bytes(refused.status()));
    }

    private void write(Answer.One one, ApiRequest request, Response response) throws IOException {
        one.warnings().forEach(text -> response.getHeaders().add("Warning", "299 - \"" + quoted(text) + "\""));
        JsonNode tree = one.object().tree();
        Representation form = request.representation();
        byte[] body = switch (form) {
            case OBJECT -> one.object().json();
            case YAML -> Yaml.format(tree).getBytes(StandardCharsets.UTF_8);
            case TABLE ->
                Json.bytes(TableFormat.table(
                        one.rules(), List.of(one.object()), request.query("includeObject"), stamp.now()));
            case METADATA -> Json.bytes(TableFormat.metadataOnly(tree));
        };
        send(response, one.code(), form.contentType(), body);
    }

    private void write(Answer.Many many, ApiRequest request, Response response) throws IOException {
        KindCache.Listing listing = many.listing();
        Representation form = request.representation();
        switch (form) {
            case OBJECT -> sendList(many, response);
            case YAML ->
                send(response, 200, form.contentType(), Yaml.format(list(many)).getBytes(StandardCharsets.UTF_8));
            case TABLE -> {
                ObjectNode table =
                        TableFormat.table(many.rules(), listing.items(), request.query("includeObject"), stamp.now());
                Tree.object(table, "metadata")
                        .put("resourceVersion", listing.revision().toString());
                send(response, 200, form.contentType(), Json.bytes(table));
            }
            case METADATA -> send(response, 200, form.contentType(), Json.bytes(TableFormat.metadataList(listing)));
        }
    }

    private static ObjectNode list(Answer.Many many) {
        ObjectNode list = listHead(many);
        ArrayNode items = list.putArray("items");
        many.listing().items().forEach(item -> items.add(item.tree()));
        return list;
    }

    private static ObjectNode listHead(Answer.Many many) {
        ObjectNode list = Json.object()
                .put("kind", many.rules().kind().name() + "List")
                .put("apiVersion", many.rules().kind().apiVersion());
        list.putObject("metadata")
                .put("resourceVersion", many.listing().revision().toString());
        return list;
    }

    /// Strings the bytes of the objects together: a list is never built as a tree.
    private static void sendList(Answer.Many many, Response response) throws IOException {
        String head = new String(Json.bytes(listHead(many)), StandardCharsets.UTF_8);
        begin(response, 200, Representation.JSON_TYPE);
        try (OutputStream out = new BufferedOutputStream(Content.Sink.asOutputStream(response), BUFFER)) {
            out.write((head.substring(0, head.length() - 1) + ",\"items\":[").getBytes(StandardCharsets.UTF_8));
            boolean first = true;
            for (ApiObject item : many.listing().items()) {
                if (!first) {
                    out.write(',');
                }
                out.write(item.json());
                first = false;
            }
            out.write("]}".getBytes(StandardCharsets.UTF_8));
        }
    }

    private void stream(WatchStream watch, Response response) throws IOException, InterruptedException {
        metrics.watchBegins();
        try {
            begin(response, 200, Representation.JSON_TYPE);
            // The client learns at once that its watch stands, though nothing has happened yet.
            Content.Sink.write(response, false, ByteBuffer.allocate(0));
            try (OutputStream out = new BufferedOutputStream(Content.Sink.asOutputStream(response), BUFFER)) {
                watch.writeTo(out);
            }
        } finally {
            metrics.watchEnds();
        }
    }

    private static void send(Response response, int code, String contentType, byte[] body) throws IOException {
        begin(response, code, contentType);
        response.getHeaders().put(HttpHeader.CONTENT_LENGTH, body.length);
        Content.Sink.write(response, true, ByteBuffer.wrap(body));
    }

    private static void begin(Response response, int code, String contentType) {
        response.setStatus(code);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, contentType);
        response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-cache, private");
    }

    private static String quoted(String text) {
        return text.replace("\\", "\\\\").replace("\"", "\\\"");
    }
}
