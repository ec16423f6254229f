package io.fairlead.client;

import io.fairlead.api.Json;
import io.fairlead.api.ParseException;
import io.fairlead.yaml.Yaml;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The file in which clients find the API server: reads what kubectl's file says of one of its contexts.
///
/// Every fault is a [ParseException] that names the file and the field.
public final class Kubeconfig {
    private static final String PLUGIN_SETTINGS = "client.authentication.k8s.io/exec";
    private static final String OTHER_USER = "use a token, a tokenFile, a client certificate or exec";
    private static final String NO_IMPERSONATION = "we ask in our own name only";
    private static final Map<String, String> UNSUPPORTED_OF_USER = Map.of(
            "auth-provider", OTHER_USER,
            "username", OTHER_USER,
            "password", OTHER_USER,
            "as", NO_IMPERSONATION,
            "as-uid", NO_IMPERSONATION,
            "as-groups", NO_IMPERSONATION,
            "as-user-extra", NO_IMPERSONATION);

    private final Path file;
    private final JsonNode tree;

    private Kubeconfig(Path file, JsonNode tree) {
        this.file = file;
        this.tree = tree;
    }

    /// How to reach the cluster of the current context.
    public static ClusterAccess read(Path file) {
        return read(file, "");
    }

    /// How to reach the cluster of the named context; of the current one where the name is empty.
    public static ClusterAccess read(Path file, String context) {
        try {
            List<JsonNode> documents = Yaml.parseAll(Files.readString(file));
            if (documents.size() != 1) {
                throw new ParseException("has %d documents instead of one".formatted(documents.size()));
            }
            return new Kubeconfig(file, documents.getFirst()).access(context);
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

    private ClusterAccess access(String contextName) throws IOException {
        JsonNode context = contextName.isEmpty()
                ? named("contexts", "context", Json.text(tree, "current-context"), "current-context")
                : named("contexts", "context", contextName, "context");
        JsonNode cluster = named("clusters", "cluster", Json.text(context, "cluster"), "context.cluster");
        String userName = Json.text(context, "user");
        JsonNode user = userName.isEmpty() ? Json.object() : named("users", "user", userName, "context.user");
        refuse(user);
        ClusterAccess.Tls tls = new ClusterAccess.Tls(
                pem(cluster, "certificate-authority"), pem(user, "client-certificate"), pem(user, "client-key"));
        ClusterAccess access = new ClusterAccess(
                server(cluster), Json.text(user, "token"), tls, tokenFile(user), way(cluster), Optional.empty());
        return says(user.path("exec")) ? access.asking(plugin(user.path("exec"), cluster, access)) : access;
    }

    private CredentialPlugin plugin(JsonNode exec, JsonNode cluster, ClusterAccess access) {
        ObjectNode known = KubeconfigFile.cluster(access);
        cluster.path("extensions")
                .valueStream()
                .filter(item -> Json.text(item, "name").equals(PLUGIN_SETTINGS))
                .forEach(item -> known.set("config", item.path("extension")));
        return CredentialPlugin.of(exec, file, known);
    }

    private static ClusterAccess.Way way(JsonNode cluster) {
        JsonNode insecure = cluster.path("insecure-skip-tls-verify");
        if (says(insecure) && !insecure.isBoolean()) {
            throw new ParseException("cluster.insecure-skip-tls-verify: must be true or false");
        }
        String proxy = Json.text(cluster, "proxy-url");
        return new ClusterAccess.Way(
                says(insecure),
                Json.text(cluster, "tls-server-name"),
                proxy.isEmpty() ? Optional.empty() : Optional.of(URI.create(proxy)));
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
    private static void refuse(JsonNode user) {
        user.propertyStream()
                .filter(field -> UNSUPPORTED_OF_USER.containsKey(field.getKey()) && says(field.getValue()))
                .findFirst()
                .ifPresent(field -> {
                    throw new ParseException("user.%s: is not supported, %s"
                            .formatted(field.getKey(), UNSUPPORTED_OF_USER.get(field.getKey())));
                });
    }

    private static boolean says(JsonNode value) {
        boolean empty = value.isNull()
                || value.isMissingNode()
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
