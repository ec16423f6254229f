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
import tools.jackson.databind.JsonNode;

/// The file in which clients find the API server: reads what kubectl's file says of its current context.
///
/// Every fault is a [ParseException] that names the file and the field.
public final class Kubeconfig {
    private static final List<String> UNSUPPORTED = List.of("exec", "auth-provider", "username", "tokenFile");

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
        check(cluster, user);
        ClusterAccess.Tls tls = new ClusterAccess.Tls(
                pem(cluster, "certificate-authority"), pem(user, "client-certificate"), pem(user, "client-key"));
        return new ClusterAccess(server(cluster), Json.text(user, "token"), tls);
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
    private static void check(JsonNode cluster, JsonNode user) {
        if (Json.flag(cluster, false, "insecure-skip-tls-verify")) {
            throw new ParseException(
                    "cluster.insecure-skip-tls-verify: is not supported, name a certificate-authority");
        }
        for (String field : UNSUPPORTED) {
            if (user.has(field)) {
                throw new ParseException(
                        "user.%s: is not supported, use a token or a client certificate".formatted(field));
            }
        }
    }

    /// The PEM text that the field names as a file, or that its `-data` twin holds.
    private String pem(JsonNode owner, String field) throws IOException {
        String data = Json.text(owner, field + "-data");
        if (!data.isEmpty()) {
            return new String(Base64.getDecoder().decode(data), StandardCharsets.UTF_8);
        }
        String path = Json.text(owner, field);
        return path.isEmpty() ? "" : Files.readString(file.toAbsolutePath().resolveSibling(path));
    }
}
