package io.fairlead.containers;

import io.fairlead.api.Pod;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;

/// What a pod's things are called on this machine: unique by the pod's uid, readable by its name.
///
/// `folder` is its place in the state folder, `namespace` its network namespace, `link` the node's end of its cable.
public record PodNames(String folder, String namespace, String link) {
    private static final int READABLE = 40;
    private static final int UNIQUE = 12;

    public static PodNames of(String prefix, Pod pod) {
        String unique = hash(pod.metadata().uid());
        String folder = safe(pod.key().name()) + "-" + unique;
        // A link's name has at most 15 characters.
        return new PodNames(folder, namespacePrefix(prefix) + folder, "flp" + unique);
    }

    /// How the namespaces of all pods of a node begin; no node's name holds a `_`, so `a` does not find those of `a-b`.
    public static String namespacePrefix(String prefix) {
        return prefix + "_";
    }

    /// At most 40 characters that mean nothing to a file system.
    public static String safe(String text) {
        String plain = text.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9-]", "-");
        return plain.substring(0, Math.min(plain.length(), READABLE));
    }

    public static byte[] digest(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    private static String hash(String uid) {
        return HexFormat.of().formatHex(digest(uid)).substring(0, UNIQUE);
    }
}
