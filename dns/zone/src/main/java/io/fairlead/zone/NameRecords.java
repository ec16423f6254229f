package io.fairlead.zone;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/// All records of one name, by type; none where the name is there for those below it alone.
record NameRecords(List<ZoneAnswer> answers) {
    static final NameRecords EMPTY = new NameRecords(List.of());

    NameRecords {
        answers = List.copyOf(answers);
    }

    static NameRecords of(List<ResourceRecord> records) {
        return of(records, List.of());
    }

    /// `extra` goes with the SRV records, whose targets it has.
    static NameRecords of(List<ResourceRecord> records, List<ResourceRecord> extra) {
        Map<Integer, Set<ResourceRecord>> byType = new TreeMap<>();
        records.forEach(record -> byType.computeIfAbsent(record.type(), _ -> new LinkedHashSet<>())
                .add(record));
        return new NameRecords(byType.values().stream()
                .map(same -> answer(List.copyOf(same), extra))
                .toList());
    }

    private static ZoneAnswer answer(List<ResourceRecord> same, List<ResourceRecord> extra) {
        ResourceRecord first = same.getFirst();
        ZoneAnswer.Found found = ZoneAnswer.Found.of(same, first.type() == RecordType.SRV ? extra : List.of());
        return first.type() == RecordType.CNAME ? new ZoneAnswer.Alias(found, first.target()) : found;
    }

    ZoneAnswer answer(int type) {
        for (int i = 0; i < answers.size(); i++) {
            ZoneAnswer answer = answers.get(i);
            if ((answer instanceof ZoneAnswer.Found found && found.type() == type)
                    || answer instanceof ZoneAnswer.Alias) {
                return answer;
            }
        }
        return ZoneAnswer.NO_DATA;
    }

    Stream<ResourceRecord> records(Name owner) {
        return answers.stream().flatMap(answer -> switch (answer) {
            case ZoneAnswer.Found found -> found.records(owner).stream();
            case ZoneAnswer.Alias(ZoneAnswer.Found alias, Name _) -> alias.records(owner).stream();
            case ZoneAnswer.NoData _, ZoneAnswer.NoSuchName _, ZoneAnswer.NotOurs _ -> Stream.of();
        });
    }
}
