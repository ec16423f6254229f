package io.fairlead.client;

import io.fairlead.api.Json;
import io.fairlead.api.ParseException;
import io.fairlead.yaml.Yaml;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Base64;
import tools.jackson.databind.node.ObjectNode;

/// The kubeconfig that we write: one cluster, one user, one context, all called fairlead.
final class KubeconfigFile {
    private static final String NAME = "fairlead";

    private KubeconfigFile() {}

    static void write(Path file, ClusterAccess access) {
        Path target = file.toAbsolutePath();
        try {
            Files.createDirectories(target.getParent());
            // A reader sees the old file or the new one; a fresh temporary file is for its owner alone.
            Path draft = Files.createTempFile(target.getParent(), "." + target.getFileName(), "");
            try {
                Files.writeString(draft, Yaml.format(tree(access)));
                Files.move(draft, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            } finally {
                Files.deleteIfExists(draft);
            }
        } catch (IOException e) {
            throw new ParseException("kubeconfig %s cannot be written: %s".formatted(file, e), e);
        }
    }

    private static ObjectNode tree(ClusterAccess access) {
        ObjectNode tree = Json.object().put("apiVersion", "v1").put("kind", "Config");
        item(tree, "clusters", "cluster").setAll(cluster(access));
        item(tree, "users", "user").setAll(user(access));
        item(tree, "contexts", "context").put("cluster", NAME).put("user", NAME);
        return tree.put("current-context", NAME);
    }

    private static ObjectNode item(ObjectNode tree, String list, String field) {
        ObjectNode item = tree.putArray(list).addObject();
        item.put("name", NAME);
        return item.putObject(field);
    }

    /// What clients know of a cluster; a plugin may be given it, too.
    static ObjectNode cluster(ClusterAccess access) {
        ObjectNode cluster = Json.object().put("server", access.server().toString());
        putPem(cluster, "certificate-authority-data", access.tls().certificateAuthority());
        ClusterAccess.Way way = access.way();
        if (way.insecure()) {
            cluster.put("insecure-skip-tls-verify", true);
        }
        if (!way.serverName().isEmpty()) {
            cluster.put("tls-server-name", way.serverName());
        }
        way.proxy().ifPresent(proxy -> cluster.put("proxy-url", proxy.toString()));
        return cluster;
    }

    private static ObjectNode user(ClusterAccess access) {
        ObjectNode user = Json.object();
        if (!access.token().isEmpty()) {
            user.put("token", access.token());
        }
        if (!access.tokenFile().isEmpty()) {
            user.put("tokenFile", access.tokenFile());
        }
        putPem(user, "client-certificate-data", access.tls().certificate());
        putPem(user, "client-key-data", access.tls().key());
        access.plugin().ifPresent(plugin -> user.set("exec", plugin.field()));
        return user;
    }

    private static void putPem(ObjectNode object, String field, String pem) {
        if (!pem.isEmpty()) {
            object.put(field, Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.UTF_8)));
        }
    }
}
