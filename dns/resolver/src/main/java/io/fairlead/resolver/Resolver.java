package io.fairlead.resolver;

import io.fairlead.api.Ip;
import io.fairlead.zone.Name;
import io.fairlead.zone.RecordType;
import io.fairlead.zone.ResourceRecord;
import io.fairlead.zone.ResponseCode;
import io.fairlead.zone.Sections;
import io.fairlead.zone.Zone;
import io.fairlead.zone.ZoneAnswer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Answers that may take their time: those from upstream, and those by way of an alias that leads there.
final class Resolver {
    private final Zones zones;
    private final Forwarder forwarder;
    private final AnswerCache cache;
    private final LocalNames local;
    private final SearchPath search;

    Resolver(DnsConfig config, Zones zones, Forwarder forwarder) {
        this.zones = zones;
        this.forwarder = forwarder;
        this.cache = new AnswerCache(config.cache());
        this.local = config.local();
        this.search = config.search();
    }

    /// Whether the answer to a name that is not there may be that of another, which its client would ask for next.
    boolean mayWalk(int type) {
        return search.walked() && (type == RecordType.A || type == RecordType.AAAA);
    }

    /// The answer that is at hand, if there is one; `refresh` takes what should be fetched anew meanwhile.
    AnswerCache.@Nullable Entry cached(Name name, int type, long now, Consumer<Name> refresh) {
        AnswerCache.@Nullable Entry entry = cache.fresh(name, type, now);
        if (entry != null && cache.isWorthFetching(entry, now)) {
            refresh.accept(name.copy());
        }
        return entry;
    }

    /// Whether the name is answered otherwise than by those who know it.
    boolean isLocal(Name name) {
        return local.has(name);
    }

    /// Waits for the answer to a client; walks its search path where that is asked for and the client is a known pod.
    Sections resolve(Name name, int type, Ip client) {
        Sections answer = resolve(name, type);
        @Nullable Zone zone = zones.current();
        if (zone == null || !mayWalk(type) || answer.code() != ResponseCode.NXDOMAIN.code()) {
            return answer;
        }
        List<Name> others = zone.namespaceOf(client)
                .map(namespace -> search.after(name, namespace, zone.settings().origin()))
                .orElse(List.of());
        for (Name other : others) {
            Sections found = resolve(other, type);
            if (found.code() == ResponseCode.NOERROR.code()) {
                return byAlias(name, other, found);
            }
        }
        return answer;
    }

    private static Sections byAlias(Name name, Name other, Sections found) {
        int ttl = found.answers().stream().mapToInt(ResourceRecord::ttl).min().orElse(0);
        List<ResourceRecord> all = new ArrayList<>(List.of(ResourceRecord.of(name, RecordType.CNAME, ttl, other)));
        all.addAll(found.answers());
        return new Sections(ResponseCode.NOERROR.code(), all, found.authority(), List.of());
    }

    private Sections resolve(Name name, int type) {
        Name meant = local.meant(name);
        Sections answer = local.answer(meant, type).orElseGet(() -> follow(meant, type));
        return meant.equals(name) ? answer : answer.withAnswers(renamed(answer.answers(), meant, name));
    }

    private static List<ResourceRecord> renamed(List<ResourceRecord> records, Name from, Name to) {
        return records.stream()
                .map(record -> record.owner().equals(from) ? record.withOwner(to) : record)
                .toList();
    }

    private Sections follow(Name name, int type) {
        @Nullable Zone zone = zones.current();
        List<ResourceRecord> chain = zone == null ? List.of() : zone.chain(name, type);
        if (chain.isEmpty()) {
            ZoneAnswer answer = zone == null ? ZoneAnswer.NOT_OURS : zone.answer(name, type);
            return answer instanceof ZoneAnswer.NotOurs || zone == null ? upstream(name, type) : denied(answer, zone);
        }
        ResourceRecord last = chain.getLast();
        Sections own = new Sections(ResponseCode.NOERROR.code(), chain, List.of(), List.of());
        boolean leaves = last.type() == RecordType.CNAME
                && type != RecordType.CNAME
                && !last.target().isWithin(zones.settings().origin());
        if (!leaves) {
            return own;
        }
        Sections rest = upstream(last.target(), type);
        List<ResourceRecord> all = new ArrayList<>(chain);
        all.addAll(rest.answers());
        // What the alias is is known, whatever became of its target.
        int code = rest.code() == ResponseCode.REFUSED.code() ? ResponseCode.NOERROR.code() : rest.code();
        return new Sections(code, all, rest.authority(), List.of());
    }

    private static Sections denied(ZoneAnswer answer, Zone zone) {
        ResponseCode code = answer instanceof ZoneAnswer.NoSuchName ? ResponseCode.NXDOMAIN : ResponseCode.NOERROR;
        return new Sections(code.code(), List.of(), List.of(zone.authority().record()), List.of());
    }

    private Sections upstream(Name name, int type) {
        if (!forwarder.knows(name)) {
            return Sections.of(ResponseCode.REFUSED);
        }
        long now = System.nanoTime();
        AnswerCache.@Nullable Entry known = cached(name, type, now, _ -> {});
        return known == null ? fetch(name, type) : known.at(now);
    }

    /// Asks upstream whatever is at hand; what ended is given where upstream is away.
    Sections fetch(Name name, int type) {
        Optional<Sections> answer = forwarder.ask(name, type);
        long now = System.nanoTime();
        if (answer.isPresent() && answer.get().code() != ResponseCode.SERVFAIL.code()) {
            cache.put(name, type, answer.get(), now);
            return answer.get();
        }
        return cache.find(name, type, now)
                .map(entry -> entry.at(now))
                .or(() -> answer)
                .orElseGet(() -> Sections.of(ResponseCode.SERVFAIL));
    }
}
