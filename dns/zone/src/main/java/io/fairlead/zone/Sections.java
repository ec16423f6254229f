package io.fairlead.zone;

import java.util.List;

/// The records of a message, without its question; `flags` as in the header, the code included.
public record Sections(
        int flags, List<ResourceRecord> answers, List<ResourceRecord> authority, List<ResourceRecord> additional) {
    public Sections {
        answers = List.copyOf(answers);
        authority = List.copyOf(authority);
        additional = List.copyOf(additional);
    }

    public static Sections of(ResponseCode code) {
        return new Sections(code.code(), List.of(), List.of(), List.of());
    }

    public int code() {
        return flags & Wire.CODE;
    }

    public boolean isTruncated() {
        return (flags & Wire.TRUNCATED) != 0;
    }

    public Sections withAnswers(List<ResourceRecord> other) {
        return new Sections(flags, other, authority, additional);
    }
}
