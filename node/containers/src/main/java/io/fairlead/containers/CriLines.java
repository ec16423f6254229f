package io.fairlead.containers;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/// Bytes that a container wrote as lines of its log, in the form that the Container Runtime Interface says. Pure.
///
/// `used` is how many of the bytes are in `text`: the rest is the start of a line. Bytes stay bytes, whatever they
/// mean: a character of `text` is one byte.
record CriLines(String text, int used) {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSSSSS'Z'").withZone(ZoneOffset.UTC);

    /// When a line was written, and to which stream.
    record Origin(Instant time, String stream) {}

    static CriLines of(byte[] bytes, Origin origin, boolean ended, int longest) {
        String all = new String(bytes, StandardCharsets.ISO_8859_1);
        String head = TIME.format(origin.time()) + " " + origin.stream() + " ";
        StringBuilder text = new StringBuilder();
        int from = 0;
        while (from < all.length()) {
            int end = all.indexOf('\n', from);
            if (end >= 0 && end - from <= longest) {
                text.append(head).append("F ").append(all, from, end + 1);
                from = end + 1;
            } else if ((end < 0 ? all.length() : end) - from > longest) {
                text.append(head).append("P ").append(all, from, from + longest).append('\n');
                from += longest;
            } else if (ended) {
                text.append(head).append("F ").append(all, from, all.length()).append('\n');
                from = all.length();
            } else {
                break;
            }
        }
        return new CriLines(text.toString(), from);
    }
}
