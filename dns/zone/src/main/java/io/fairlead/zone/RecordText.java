package io.fairlead.zone;

import io.fairlead.api.Ip;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/// The content of records as a zone file shows it.
final class RecordText {
    private RecordText() {}

    static String content(ResourceRecord record) {
        byte[] bytes = record.content();
        return switch (record.type()) {
            case RecordType.A, RecordType.AAAA -> Ip.of(bytes).toString();
            case RecordType.CNAME, RecordType.PTR, RecordType.NS ->
                record.target().toString();
            case RecordType.SRV ->
                "%d %d %d %s"
                        .formatted(
                                Wire.getShort(bytes, 0),
                                Wire.getShort(bytes, 2),
                                Wire.getShort(bytes, 4),
                                Name.of(bytes, 6, bytes.length - 6));
            case RecordType.MX -> Wire.getShort(bytes, 0) + " " + Name.of(bytes, 2, bytes.length - 2);
            case RecordType.TXT -> text(bytes);
            case RecordType.SOA -> soa(bytes);
            default -> "\\# %d %s".formatted(bytes.length, HexFormat.of().formatHex(bytes));
        };
    }

    private static String text(byte[] bytes) {
        StringBuilder text = new StringBuilder();
        for (int at = 0; at < bytes.length; at += (bytes[at] & 0xff) + 1) {
            String part = new String(bytes, at + 1, bytes[at] & 0xff, StandardCharsets.ISO_8859_1);
            text.append(at == 0 ? "\"" : " \"").append(part).append('"');
        }
        return text.toString();
    }

    private static String soa(byte[] bytes) {
        int first = end(bytes, 0);
        int second = end(bytes, first);
        StringBuilder text = new StringBuilder();
        text.append(Name.of(bytes, 0, first)).append(' ').append(Name.of(bytes, first, second - first));
        for (int i = 0; i < 5; i++) {
            text.append(' ').append(Integer.toUnsignedString(Wire.getInt(bytes, second + 4 * i)));
        }
        return text.toString();
    }

    private static int end(byte[] bytes, int from) {
        int at = from;
        while (bytes[at] != 0) {
            at += bytes[at] + 1;
        }
        return at + 1;
    }
}
