package io.fairlead.http;

import io.fairlead.access.AccessRequest;
import io.fairlead.access.User;
import io.fairlead.api.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/// Who wrote what, one JSON line a write; never what was written, so that no secret is in it.
///
/// The file is only ever appended to: it may be moved or cut by others (`logrotate` with `copytruncate`).
final class AuditLog implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AuditLog.class);
    private static final Set<String> READS = Set.of("get", "list", "watch", "head", "options");

    private final OutputStream out;
    private final boolean keeps;
    private boolean broken;

    private AuditLog(OutputStream out, boolean keeps) {
        this.out = out;
        this.keeps = keeps;
    }

    /// A log in this file, or one that keeps nothing where the path is empty.
    static AuditLog open(Path file) {
        if (file.toString().isEmpty()) {
            return new AuditLog(OutputStream.nullOutputStream(), false);
        }
        try {
            if (!Files.exists(file)) {
                Files.createFile(
                        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            }
            return new AuditLog(Files.newOutputStream(file, StandardOpenOption.APPEND), true);
        } catch (IOException e) {
            throw new ApiServerException("the audit log %s cannot be opened".formatted(file), e);
        }
    }

    /// What came of a request; `sender` differs from the user where the sender impersonated that user.
    record Entry(Instant time, User sender, AccessRequest request, int code, Duration took, String source) {}

    void write(Entry entry) {
        if (keeps && !READS.contains(entry.request().verb())) {
            append(Json.bytes(json(entry)));
        }
    }

    private static ObjectNode json(Entry entry) {
        AccessRequest request = entry.request();
        ObjectNode line = Json.object()
                .put("time", entry.time().toString())
                .put("user", request.user().name());
        if (!entry.sender().name().equals(request.user().name())) {
            line.put("sender", entry.sender().name());
        }
        line.put("verb", request.verb());
        switch (request.on()) {
            case AccessRequest.Path(String path) -> line.put("path", path);
            case AccessRequest.Resource on ->
                line.put("group", on.group())
                        .put("resource", on.qualified())
                        .put("namespace", on.namespace())
                        .put("name", on.name());
        }
        return line.put("code", entry.code())
                .put("micros", entry.took().toNanos() / 1000)
                .put("source", entry.source());
    }

    private synchronized void append(byte[] line) {
        try {
            byte[] whole = new byte[line.length + 1];
            System.arraycopy(line, 0, whole, 0, line.length);
            whole[line.length] = '\n';
            out.write(whole);
            broken = false;
        } catch (IOException e) {
            if (!broken) {
                LOG.error("event=audit-failed reason=\"{}\"", e.toString());
            }
            broken = true;
        }
    }

    @Override
    public void close() {
        try {
            out.close();
        } catch (IOException e) {
            LOG.warn("event=audit-close-failed reason=\"{}\"", e.toString());
        }
    }
}
