package io.fairlead.zone;

import java.util.ArrayList;
import java.util.List;

/// An answer to one question that is given again and again: its bytes behind the question, in which only the times to
/// live differ from one to the next.
public final class KeptAnswer {
    private static final int POINTER = 2;
    private static final int BODY = 10;

    final Sections sections;
    final byte[] bytes;

    /// Where each record's time to live stands among the bytes.
    final int[] places;

    private KeptAnswer(Sections sections, byte[] bytes, int[] places) {
        this.sections = sections;
        this.bytes = bytes;
        this.places = places;
    }

    /// Of the sections of an answer to a question for `name`, without the additional one.
    public static KeptAnswer of(Name name, Sections whole) {
        Sections sections = new Sections(whole.flags(), whole.answers(), whole.authority(), List.of());
        List<ResourceRecord> records = new ArrayList<>(sections.answers());
        records.addAll(sections.authority());
        int size = 0;
        for (ResourceRecord record : records) {
            size += ownerLength(record, name) + BODY + record.content().length;
        }
        byte[] bytes = new byte[size];
        int[] places = new int[records.size()];
        int at = 0;
        for (int i = 0; i < places.length; i++) {
            ResourceRecord record = records.get(i);
            if (record.owner().equals(name)) {
                Wire.putShort(bytes, at, Wire.TO_QUESTION);
                at += POINTER;
            } else {
                at = record.owner().write(bytes, at);
            }
            places[i] = at + 4;
            at = ZoneAnswer.Found.writeBody(record, bytes, at);
        }
        return new KeptAnswer(sections, bytes, places);
    }

    private static int ownerLength(ResourceRecord record, Name name) {
        return record.owner().equals(name) ? POINTER : record.owner().length();
    }

    /// What it was made of, with what is left of each time to live after `age` seconds.
    public Sections aged(int age) {
        return new Sections(
                sections.flags(), aged(sections.answers(), age), aged(sections.authority(), age), List.of());
    }

    private static List<ResourceRecord> aged(List<ResourceRecord> records, int age) {
        return records.stream()
                .map(record -> record.withTtl(left(record.ttl(), age)))
                .toList();
    }

    static int left(int ttl, int age) {
        return Math.max(0, ttl - age);
    }
}
