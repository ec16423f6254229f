package io.fairlead.zone;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a Zone has to say to a question.
public sealed interface ZoneAnswer {
    NoData NO_DATA = new NoData();
    NoSuchName NO_SUCH_NAME = new NoSuchName();
    NotOurs NOT_OURS = new NotOurs();

    /// The name is there, with nothing of the type.
    record NoData() implements ZoneAnswer {}

    /// There is no such name, nor one below it.
    record NoSuchName() implements ZoneAnswer {}

    /// The name is in nothing that this Zone speaks for.
    record NotOurs() implements ZoneAnswer {}

    /// The name is another's: `alias` says so in one CNAME, and `target` is whose records count.
    record Alias(Found alias, Name target) implements ZoneAnswer {}

    /// Records of one type, encoded: their owner is the name of the question.
    ///
    /// `ends` has where each record ends among `bytes`; `extra` are those that spare the client a question.
    final class Found implements ZoneAnswer {
        private static final int FIXED = 12;
        private static final byte[] NOTHING = {};

        private final int type;
        final byte[] bytes;
        final int[] ends;
        final byte[] extra;
        final int extraCount;

        private Found(int type, byte[] bytes, int[] ends, byte[] extra, int extraCount) {
            this.type = type;
            this.bytes = bytes;
            this.ends = ends;
            this.extra = extra;
            this.extraCount = extraCount;
        }

        /// Of records that share owner and type.
        static Found of(List<ResourceRecord> records, List<ResourceRecord> extra) {
            int size = records.stream()
                    .mapToInt(record -> FIXED + record.content().length)
                    .sum();
            byte[] bytes = new byte[size];
            int[] ends = new int[records.size()];
            int at = 0;
            for (int i = 0; i < ends.length; i++) {
                Wire.putShort(bytes, at, Wire.TO_QUESTION);
                at = writeBody(records.get(i), bytes, at + 2);
                ends[i] = at;
            }
            return new Found(records.getFirst().type(), bytes, ends, encode(extra), extra.size());
        }

        private static byte[] encode(List<ResourceRecord> records) {
            if (records.isEmpty()) {
                return NOTHING;
            }
            int size = records.stream()
                    .mapToInt(record -> record.owner().length() + FIXED - 2 + record.content().length)
                    .sum();
            byte[] bytes = new byte[size];
            int at = 0;
            for (ResourceRecord record : records) {
                at = writeBody(record, bytes, record.owner().write(bytes, at));
            }
            return bytes;
        }

        static int writeBody(ResourceRecord record, byte[] out, int at) {
            byte[] content = record.content();
            Wire.putShort(out, at, record.type());
            Wire.putShort(out, at + 2, RecordType.INTERNET);
            Wire.putInt(out, at + 4, record.ttl());
            Wire.putShort(out, at + 8, content.length);
            System.arraycopy(content, 0, out, at + 10, content.length);
            return at + 10 + content.length;
        }

        public int type() {
            return type;
        }

        public int count() {
            return ends.length;
        }

        /// The records, as those of `owner`.
        public List<ResourceRecord> records(Name owner) {
            List<ResourceRecord> records = new ArrayList<>(ends.length);
            int from = 0;
            for (int end : ends) {
                int ttl = Wire.getInt(bytes, from + 6);
                records.add(new ResourceRecord(owner, type, ttl, Arrays.copyOfRange(bytes, from + FIXED, end)));
                from = end;
            }
            return records;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Found that
                    && type == that.type
                    && Arrays.equals(bytes, that.bytes)
                    && Arrays.equals(extra, that.extra);
        }

        @Override
        public int hashCode() {
            return 31 * type + Arrays.hashCode(bytes);
        }
    }
}
