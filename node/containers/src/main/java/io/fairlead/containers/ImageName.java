package io.fairlead.containers;

import java.util.HexFormat;

/// The names of images. Pure.
final class ImageName {
    private ImageName() {}

    /// `nginx` → `docker.io/library/nginx:latest`; a name with a tag and a digest means the digest.
    static String full(String image) {
        int at = image.indexOf('@');
        String name = at < 0 ? image : image.substring(0, at);
        int colon = name.lastIndexOf(':');
        boolean tagged = colon > name.lastIndexOf('/');
        String repository = tagged ? name.substring(0, colon) : name;
        String host = repository.contains("/") ? repository.substring(0, repository.indexOf('/')) : "";
        boolean registry = host.contains(".") || host.contains(":") || host.equals("localhost");
        String prefix = registry ? "" : repository.contains("/") ? "docker.io/" : "docker.io/library/";
        String end = at >= 0 ? image.substring(at) : ":" + (tagged ? name.substring(colon + 1) : "latest");
        return prefix + repository + end;
    }

    /// `nginx:1` → `docker.io/library/nginx`
    static String repository(String image) {
        String full = full(image);
        int at = full.indexOf('@');
        return full.substring(0, at < 0 ? full.lastIndexOf(':') : at);
    }

    /// What stands for it in a layout, whose tags take few characters.
    static String tag(String full) {
        return HexFormat.of().formatHex(PodNames.digest(full)).substring(0, 24);
    }

    /// The last and most exact part of what a tool says: `time=… level=fatal msg="…"`.
    static String reason(String output) {
        String last = output.lines().reduce("", (_, line) -> line);
        int message = last.indexOf("msg=\"");
        String text = message < 0 ? last : last.substring(message + 5, last.length() - 1);
        return text.replace("\\\"", "\"").strip();
    }
}
