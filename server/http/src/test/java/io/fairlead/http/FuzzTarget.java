package io.fairlead.http;

import io.fairlead.api.Kind;
import io.fairlead.api.ParseException;
import io.fairlead.schema.Protobuf;
import io.fairlead.yaml.Yaml;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/// What a stranger may send to the server, as functions of bytes. None of them may make it fail.
///
/// The first byte of most inputs says on which kind of object the rest is tried.
enum FuzzTarget {
    JSON_BODY,
    YAML_BODY,
    PROTOBUF_BODY,
    JSON_PATCH,
    MERGE_PATCH,
    STRATEGIC_PATCH,
    APPLY,
    SELECTORS,
    YAML_READER;

    private static final Map<String, String> TRY =
            Map.of("dryRun", "All", "fieldManager", "fuzz", "fieldValidation", "Warn");

    /// Throws if the server does what it never should.
    void feed(FuzzServer server, byte[] input) throws InterruptedException {
        switch (this) {
            case JSON_BODY -> create(server, "application/json", input);
            case YAML_BODY -> create(server, "application/yaml", input);
            case PROTOBUF_BODY -> createFromProtobuf(server, input);
            case JSON_PATCH -> patch(server, "application/json-patch+json", input);
            case MERGE_PATCH -> patch(server, "application/merge-patch+json", input);
            case STRATEGIC_PATCH -> patch(server, "application/strategic-merge-patch+json", input);
            case APPLY -> patch(server, "application/apply-patch+yaml", input);
            case SELECTORS -> select(server, input);
            case YAML_READER -> readYaml(input);
        }
    }

    private static void create(FuzzServer server, String contentType, byte[] input) throws InterruptedException {
        Kind kind = pick(Kind.ALL, input);
        byte[] body = rest(input);
        server.ask(write("POST", path(kind), contentType, body), body.length);
        server.ask(write("PUT", path(kind) + "/web", contentType, body), body.length);
    }

    /// The message alone is the fuzzer's: it would seldom guess the envelope around it.
    private static void createFromProtobuf(FuzzServer server, byte[] input) throws InterruptedException {
        Kind kind = pick(Kind.ALL, input);
        byte[] message = rest(input);
        ByteArrayOutputStream type = new ByteArrayOutputStream();
        field(type, 1, kind.apiVersion().getBytes(StandardCharsets.UTF_8));
        field(type, 2, kind.name().getBytes(StandardCharsets.UTF_8));
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        body.writeBytes(new byte[] {'k', '8', 's', 0});
        field(body, 1, type.toByteArray());
        field(body, 2, message);
        server.ask(write("POST", path(kind), Protobuf.MEDIA_TYPE, body.toByteArray()), body.size());
        server.ask(write("POST", path(kind), Protobuf.MEDIA_TYPE, message), message.length);
    }

    private static void field(ByteArrayOutputStream out, int number, byte[] value) {
        out.write((number << 3) | 2);
        int length = value.length;
        for (; length > 0x7f; length >>>= 7) {
            out.write((length & 0x7f) | 0x80);
        }
        out.write(length);
        out.writeBytes(value);
    }

    private static void patch(FuzzServer server, String contentType, byte[] input) throws InterruptedException {
        FuzzSample sample = pick(List.of(FuzzSample.values()), input);
        byte[] body = rest(input);
        server.ask(write("PATCH", sample.path(), contentType, body), body.length);
        if (sample != FuzzSample.CONFIG_MAP) {
            server.ask(write("PATCH", sample.path() + "/status", contentType, body), body.length);
        }
    }

    /// A line each: labels, fields, and where a list goes on.
    private static void select(FuzzServer server, byte[] input) throws InterruptedException {
        FuzzSample sample = pick(List.of(FuzzSample.values()), input);
        String[] lines = new String(rest(input), StandardCharsets.UTF_8).split("\n", 3);
        String[] names = {"labelSelector", "fieldSelector", "continue"};
        for (int i = 0; i < lines.length; i++) {
            ApiRequest list =
                    new ApiRequest("GET", sample.collection(), Map.of(names[i], lines[i]), Map.of(), () -> new byte[0]);
            server.ask(list, input.length);
        }
    }

    /// What is read can be written, and is read again as it was.
    private static void readYaml(byte[] input) {
        try {
            for (JsonNode document : Yaml.parseAll(new String(input, StandardCharsets.UTF_8))) {
                String written = Yaml.format(document);
                if (!Yaml.parseAll(written).equals(List.of(document))) {
                    throw new AssertionError("%s is written as%n%s".formatted(document, written));
                }
            }
        } catch (ParseException _) {
            // told what is wrong with it: as it should be
        }
    }

    private static ApiRequest write(String method, String path, String contentType, byte[] body) {
        return new ApiRequest(method, path, TRY, Map.of("content-type", contentType), () -> body);
    }

    private static String path(Kind kind) {
        String group = kind.group().isEmpty() ? "/api/" : "/apis/" + kind.group() + "/";
        return group + kind.version() + (kind.namespaced() ? "/namespaces/default/" : "/") + kind.plural();
    }

    private static <T> T pick(List<T> all, byte[] input) {
        return all.get(input.length == 0 ? 0 : Byte.toUnsignedInt(input[0]) % all.size());
    }

    private static byte[] rest(byte[] input) {
        return input.length == 0 ? input : Arrays.copyOfRange(input, 1, input.length);
    }
}
