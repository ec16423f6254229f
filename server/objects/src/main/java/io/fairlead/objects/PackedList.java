package io.fairlead.objects;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// A list on its way out as gzip: its own head and end, and between them pieces that are there already, or are from
/// then on.
public record PackedList(byte[] head, List<ApiObject> items) {
    private static final Piece COMMA = stored(",");
    private static final Piece END = stored("]}");

    /// Makes and writes one piece after the other: the whole is never in memory.
    public void write(ListPieces pieces, OutputStream out) throws IOException, InterruptedException {
        GzipMember member = GzipMember.begin(out);
        member.write(Piece.stored(head));
        try (PieceMaker maker = new PieceMaker()) {
            boolean first = true;
            for (List<ApiObject> run : ListCuts.runs(items)) {
                if (!first) {
                    member.write(COMMA);
                }
                member.write(pieces.of(run, maker));
                first = false;
            }
        }
        member.write(END);
        member.end();
    }

    private static Piece stored(String text) {
        return Piece.stored(text.getBytes(StandardCharsets.US_ASCII));
    }
}
