package io.fairlead.sessions;

import io.fairlead.streams.HttpHead;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What the agent says of the node itself: `healthz`, and under `logs/` the files of its log folder.
///
/// A link that leads out of the folder is not followed.
record NodeFiles(Path folder) {
    private static final int MOST_ENTRIES = 10_000;

    void answer(SessionRequest request) throws IOException {
        List<String> path = request.path().subList(1, request.path().size());
        switch (path.isEmpty() ? "" : path.getFirst()) {
            case "healthz" -> send(request, "text/plain; charset=utf-8", "ok".getBytes(StandardCharsets.UTF_8));
            case "logs" -> logs(request, path.subList(1, path.size()));
            default -> throw SessionException.notFound("404 page not found");
        }
    }

    private void logs(SessionRequest request, List<String> path) throws IOException {
        if (path.isEmpty()) {
            redirect(request, "logs/");
            return;
        }
        Path place = found(path);
        boolean slash = path.getLast().isEmpty();
        if (Files.isDirectory(place)) {
            if (slash) {
                send(request, "text/html; charset=utf-8", listing(place).getBytes(StandardCharsets.UTF_8));
            } else {
                redirect(request, path.getLast() + "/");
            }
        } else if (slash) {
            redirect(request, "../" + path.get(path.size() - 2));
        } else {
            sendFile(request, place);
        }
    }

    private Path found(List<String> path) throws IOException {
        Path place = folder;
        for (String part : path) {
            if (part.equals("..") || part.contains("/") || part.indexOf('\0') >= 0) {
                throw SessionException.badRequest("invalid URL path");
            }
            place = place.resolve(part);
        }
        if (!Files.exists(place) || !place.toRealPath().startsWith(folder.toRealPath())) {
            throw SessionException.notFound("404 page not found");
        }
        return place;
    }

    private static String listing(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.limit(MOST_ENTRIES)
                    .map(file -> file.getFileName() + (Files.isDirectory(file) ? "/" : ""))
                    .sorted()
                    .map(name -> "<a href=\"%s\">%s</a>\n".formatted(escaped(name), escaped(name)))
                    .collect(Collectors.joining("", "<pre>\n", "</pre>\n"));
        }
    }

    private static String escaped(String name) {
        return name.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&#34;")
                .replace("'", "&#39;");
    }

    private static void redirect(SessionRequest request, String to) throws IOException {
        request.answer(HttpHead.of("HTTP/1.1 301 Moved Permanently")
                .with("Location", to)
                .with("Content-Length", "0")
                .with("Connection", "close"));
    }

    private static void send(SessionRequest request, String type, byte[] body) throws IOException {
        request.answer(head(type, body.length));
        request.wire().out().write(body);
        request.wire().out().flush();
    }

    /// As long as it is now: what is written meanwhile is for the next time.
    private static void sendFile(SessionRequest request, Path file) throws IOException {
        if (!Files.isRegularFile(file)) {
            throw SessionException.notFound("404 page not found");
        }
        long size = Files.size(file);
        request.answer(head("text/plain; charset=utf-8", size));
        OutputStream out = request.wire().out();
        try (var in = Files.newInputStream(file)) {
            byte[] block = new byte[32 * 1024];
            long left = size;
            while (left > 0) {
                int count = in.read(block, 0, (int) Math.min(block.length, left));
                if (count < 0) {
                    break; // it became shorter
                }
                out.write(block, 0, count);
                left -= count;
            }
        }
        out.flush();
    }

    private static HttpHead head(String type, long length) {
        return HttpHead.of("HTTP/1.1 200 OK")
                .with("Content-Type", type)
                .with("Content-Length", Long.toString(length))
                .with("Connection", "close");
    }
}
