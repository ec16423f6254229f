package io.fairlead.resolver;

import io.fairlead.zone.Name;
import io.fairlead.zone.RecordType;
import io.fairlead.zone.ResourceRecord;
import io.fairlead.zone.Sections;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// What of an answer is about its question: the rest could only poison the cache.
final class Bailiwick {
    private Bailiwick() {}

    /// The records of the name and of those its aliases lead to, and who denies it.
    static Sections kept(Sections sections, Name name) {
        Set<Name> meant = new HashSet<>(Set.of(name));
        List<ResourceRecord> aliases = new ArrayList<>(sections.answers().stream()
                .filter(record -> record.type() == RecordType.CNAME)
                .toList());
        boolean more = true;
        while (more) {
            more = false;
            for (ResourceRecord alias : aliases) {
                more |= meant.contains(alias.owner()) && meant.add(alias.target());
            }
        }
        List<ResourceRecord> answers = sections.answers().stream()
                .filter(record -> meant.contains(record.owner()))
                .toList();
        List<ResourceRecord> authority = sections.authority().stream()
                .filter(record ->
                        record.type() == RecordType.SOA && meant.stream().anyMatch(one -> one.isWithin(record.owner())))
                .toList();
        return new Sections(sections.flags(), answers, authority, List.of());
    }
}
