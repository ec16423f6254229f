package io.fairlead.zone;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// A message that came back from another server, read whole.
///
/// Names in it may be compressed: a pointer must lead to an earlier place than the one before, so a name ends.
public record Response(int id, Name name, int type, Sections sections) {
    private static final int MAX_RECORDS = 4096;

    /// The message, or nothing where it is not well formed, no answer, or not to one question.
    public static Optional<Response> find(byte[] packet, int length) {
        try {
            return new Reader(packet, length).response();
        } catch (Malformed e) {
            return Optional.empty();
        }
    }

    /// The end of reading; never leaves this class.
    private static final class Malformed extends Exception {
        Malformed(String what) {
            super(what, null, false, false);
        }
    }

    private static final class Reader {
        private final byte[] packet;
        private final int length;
        private int at = Wire.HEADER;

        Reader(byte[] packet, int length) {
            this.packet = packet;
            this.length = length;
        }

        Optional<Response> response() throws Malformed {
            if (length < Wire.HEADER) {
                return Optional.empty();
            }
            int flags = Wire.getShort(packet, Wire.FLAGS);
            if ((flags & Wire.RESPONSE) == 0 || Wire.getShort(packet, Wire.QUESTIONS) != 1) {
                return Optional.empty();
            }
            Name name = name();
            int type = number();
            number();
            List<ResourceRecord> answers = records(Wire.getShort(packet, Wire.ANSWERS));
            List<ResourceRecord> authority = records(Wire.getShort(packet, Wire.AUTHORITY));
            List<ResourceRecord> additional = records(Wire.getShort(packet, Wire.ADDITIONAL));
            Sections sections = new Sections(flags, answers, authority, additional);
            return Optional.of(new Response(Wire.getShort(packet, 0), name, type, sections));
        }

        private List<ResourceRecord> records(int count) throws Malformed {
            check(count <= MAX_RECORDS, "too many records");
            List<ResourceRecord> records = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                Name owner = name();
                int type = number();
                int recordClass = number();
                check(at + 6 <= length, "a record without its end");
                int ttl = Math.max(0, Wire.getInt(packet, at)); // RFC 2181, 8: the first bit set counts as zero
                at += 4;
                int size = number();
                check(at + size <= length, "content beyond the end");
                int end = at + size;
                byte[] content = content(type, end);
                at = end;
                if (recordClass == RecordType.INTERNET && type != RecordType.OPT) {
                    records.add(new ResourceRecord(owner, type, ttl, content));
                }
            }
            return records;
        }

        /// The content with its names spelled out, for the types in which RFC 1035 lets them be compressed.
        private byte[] content(int type, int end) throws Malformed {
            int from = at;
            byte[] out = new byte[end - from + 2 * Name.MAX_LENGTH];
            int size = switch (type) {
                case RecordType.CNAME, RecordType.NS, RecordType.PTR -> spelled(out, 0);
                case RecordType.MX -> spelled(out, fixed(2, out, 0));
                case RecordType.SRV -> spelled(out, fixed(6, out, 0));
                case RecordType.SOA -> fixed(20, out, spelled(out, spelled(out, 0)));
                case RecordType.A -> fixed(4, out, 0);
                case RecordType.AAAA -> fixed(16, out, 0);
                default -> fixed(end - from, out, 0);
            };
            check(at == end, "content of another length");
            return Arrays.copyOf(out, size);
        }

        private int spelled(byte[] out, int to) throws Malformed {
            return name().write(out, to);
        }

        private int fixed(int size, byte[] out, int to) throws Malformed {
            check(at + size <= length, "content beyond the end");
            System.arraycopy(packet, at, out, to, size);
            at += size;
            return to + size;
        }

        private int number() throws Malformed {
            check(at + 2 <= length, "a number beyond the end");
            at += 2;
            return Wire.getShort(packet, at - 2);
        }

        private Name name() throws Malformed {
            byte[] wire = new byte[Name.MAX_LENGTH];
            int size = 0;
            int place = at;
            int lowest = at;
            boolean jumped = false;
            while (true) {
                check(place < length, "a name beyond the end");
                int label = packet[place];
                if ((label & 0xc0) == 0xc0) {
                    check(place + 2 <= length, "half a pointer");
                    if (!jumped) {
                        at = place + 2;
                    }
                    jumped = true;
                    place = Wire.getShort(packet, place) & 0x3fff;
                    check(place < lowest, "a pointer that does not lead back");
                    lowest = place;
                    continue;
                }
                check(label >= 0 && label <= Name.MAX_LABEL, "a label of unknown kind");
                check(place + 1 + label <= length && size + label + 1 <= Name.MAX_LENGTH, "a long name");
                System.arraycopy(packet, place, wire, size, label + 1);
                size += label + 1;
                place += label + 1;
                if (label == 0) {
                    break;
                }
            }
            if (!jumped) {
                at = place;
            }
            return Name.of(wire, 0, size);
        }

        private static void check(boolean right, String what) throws Malformed {
            if (!right) {
                throw new Malformed(what);
            }
        }
    }
}
