package io.fairlead.client;

import io.fairlead.api.Json;
import io.fairlead.api.ParseException;
import io.fairlead.api.Yaml;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/// The file in which clients find the API server: reads what kubectl's file says of its current context.
///
/// Every fault is a [ParseException] that names the file and the field.
public final class Kubeconfig {
    /// What would have to change how we connect, and how it could be said instead.
    private static final Map<String, String> UNSUPPORTED_OF_CLUSTER = Map.of(
            "insecure-skip-tls-verify",
            "name a certificate-authority",
            "tls-server-name",
            "name the server as its certificate does",
            "proxy-url",
            "name a server that can be reached without a proxy");

    private static final String OTHER_USER = "use a token, a tokenFile or a client certificate";
    private static final String NOBODY_ELSE = "we ask in our own name only";
    private static final Map<String, String> UNSUPPORTED_OF_USER = Map.of(
            "exec", OTHER_USER,
            "auth-provider", OTHER_USER,
            "username", OTHER_USER,
            "password", OTHER_USER,
            "as", NOBODY_ELSE,
            "as-uid", NOBODY_ELSE,
            "as-groups", NOBODY_ELSE,
            "as-user-extra", NOBODY_ELSE);

    private final Path file;
    private final JsonNode tree;

    private Kubeconfig(Path file, JsonNode tree) {
        this.file = file;
        this.tree = tree;
    }

    /// How to reach the cluster of the current context.
    public static ClusterAccess read(Path file) {
        try {
            List<JsonNode> documents = Yaml.parseAll(Files.readString(file));
            if (documents.size() != 1) {
                throw new ParseException("has %d documents instead of one".formatted(documents.size()));
            }
            return new Kubeconfig(file, documents.getFirst()).access();
        } catch (IOException e) {
            throw new ParseException("kubeconfig %s cannot be read: %s".formatted(file, e), e);
        } catch (ParseException | IllegalArgumentException e) {
            throw new ParseException("kubeconfig %s: %s".formatted(file, e.getMessage()), e);
        }
    }

    /// Writes a file with this one cluster; only its owner may read it.
    public static void write(Path file, ClusterAccess access) {
        KubeconfigFile.write(file, access);
    }

    private ClusterAccess access() throws IOException {
        JsonNode context = named("contexts", "context", Json.text(tree, "current-context"), "current-context");
        JsonNode cluster = named("clusters", "cluster", Json.text(context, "cluster"), "context.cluster");
        String userName = Json.text(context, "user");
        JsonNode user = userName.isEmpty() ? Json.object() : named("users", "user", userName, "context.user");
        refuse("cluster", cluster, UNSUPPORTED_OF_CLUSTER);
        refuse("user", user, UNSUPPORTED_OF_USER);
        ClusterAccess.Tls tls = new ClusterAccess.Tls(
                pem(cluster, "certificate-authority"), pem(user, "client-certificate"), pem(user, "client-key"));
        return new ClusterAccess(server(cluster), Json.text(user, "token"), tls, tokenFile(user));
    }

    private JsonNode named(String list, String field, String name, String reference) {
        if (name.isEmpty()) {
            throw new ParseException(reference + ": Required value");
        }
        return tree.path(list)
                .valueStream()
                .filter(item -> Json.text(item, "name").equals(name))
                .findFirst()
                .orElseThrow(
                        () -> new ParseException("%s: %s has no item named \"%s\"".formatted(reference, list, name)))
                .path(field);
    }

    private static URI server(JsonNode cluster) {
        String server = Json.text(cluster, "server");
        if (server.isEmpty()) {
            throw new ParseException("cluster.server: Required value");
        }
        return URI.create(server);
    }

    // What we would have to leave out silently is refused instead: the server's answer would not say why.
    private static void refuse(String owner, JsonNode object, Map<String, String> unsupported) {
        object.propertyStream()
                .filter(field -> unsupported.containsKey(field.getKey()) && says(field.getValue()))
                .findFirst()
                .ifPresent(field -> {
                    throw new ParseException("%s.%s: is not supported, %s"
                            .formatted(owner, field.getKey(), unsupported.get(field.getKey())));
                });
    }

    private static boolean says(JsonNode value) {
        boolean empty = value.isNull()
                || (value.isBoolean() && !value.booleanValue())
                || (value.isString() && value.stringValue().isEmpty())
                || (value.isContainer() && value.isEmpty());
        return !empty;
    }

    /// The file of the token, which is read for each request; empty where there is none.
    private String tokenFile(JsonNode user) {
        String path = Json.text(user, "tokenFile");
        return path.isEmpty() ? "" : beside(path).toString();
    }

    private Path beside(String path) {
        return file.toAbsolutePath().resolveSibling(path);
    }

    /// The PEM text that the field names as a file, or that its `-data` twin holds.
    private String pem(JsonNode owner, String field) throws IOException {
        String data = Json.text(owner, field + "-data");
        if (!data.isEmpty()) {
            return decoded(field + "-data", data);
        }
        String path = Json.text(owner, field);
        return path.isEmpty() ? "" : Files.readString(beside(path));
    }

    private static String decoded(String field, String data) {
        try {
            return new String(Base64.getDecoder().decode(data), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new ParseException("%s: is no base64: %s".formatted(field, e.getMessage()), e);
        }
    }
}
