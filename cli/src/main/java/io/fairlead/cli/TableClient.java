package io.fairlead.cli;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.ParseException;
import io.fairlead.api.Revision;
import io.fairlead.client.ApiException;
import io.fairlead.client.ClusterAccess;
import io.fairlead.client.Interest;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/// Asks the API server for objects the way it would print them: as a `meta.k8s.io/v1` Table.
///
/// It knows no certificates of its own: over https it trusts whom the JDK trusts.
final class TableClient implements AutoCloseable {
    private static final String AS_TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json";
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final ClusterAccess access;
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5))
            .build();

    TableClient(ClusterAccess access) {
        this.access = access;
    }

    /// One object.
    JsonNode table(Kind kind, NamespacedName name) throws InterruptedException {
        return send(kind.path(new NamespacedName(encoded(name.namespace()), encoded(name.name()))));
    }

    /// All objects; of all namespaces where `namespace` is empty.
    JsonNode table(Interest interest, String namespace) throws InterruptedException {
        return send(interest.kind().path(encoded(namespace)) + "?" + selectors(interest));
    }

    /// The events after `from`, one JSON tree each, until the server ends the watch; the caller closes it.
    Stream<JsonNode> watch(Interest interest, String namespace, Revision from) throws InterruptedException {
        String path = "%s?watch=true&resourceVersion=%s%s"
                .formatted(interest.kind().path(encoded(namespace)), from, selectors(interest));
        HttpRequest request = request(path).build();
        try {
            HttpResponse<Stream<String>> answer = http.send(request, BodyHandlers.ofLines());
            if (answer.statusCode() != 200) {
                throw refusal(
                        answer.statusCode(), String.join("\n", answer.body().toList()));
            }
            return answer.body().filter(line -> !line.isBlank()).map(Json::parse);
        } catch (IOException e) {
            throw unanswered(request, e);
        }
    }

    @Override
    public void close() {
        http.shutdownNow();
    }

    private JsonNode send(String path) throws InterruptedException {
        HttpRequest request = request(path).timeout(PATIENCE).build();
        try {
            HttpResponse<String> answer = http.send(request, BodyHandlers.ofString());
            if (answer.statusCode() != 200) {
                throw refusal(answer.statusCode(), answer.body());
            }
            return Json.parse(answer.body());
        } catch (IOException | ParseException e) {
            throw unanswered(request, e);
        }
    }

    private HttpRequest.Builder request(String path) {
        URI uri = URI.create(access.server().toString().replaceAll("/+$", "") + path);
        HttpRequest.Builder request = HttpRequest.newBuilder(uri).header("Accept", AS_TABLE);
        return access.token().isEmpty() ? request : request.header("Authorization", "Bearer " + access.token());
    }

    private static String selectors(Interest interest) {
        return "&labelSelector=" + encoded(interest.labelSelector()) + "&fieldSelector="
                + encoded(interest.fieldSelector());
    }

    private static ApiException refusal(int code, String body) {
        String otherwise = "the server answered %d: %s".formatted(code, body.strip());
        try {
            JsonNode status = Json.parse(body);
            String message = Json.text(status, "message");
            return new ApiException(code, Json.text(status, "reason"), message.isEmpty() ? otherwise : message);
        } catch (ParseException _) {
            return new ApiException(code, "", otherwise);
        }
    }

    private static CommandException unanswered(HttpRequest request, Exception cause) {
        return new CommandException(
                "error: GET %s: no answer from the API server (%s); is the cluster running?"
                        .formatted(request.uri(), cause),
                cause);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
