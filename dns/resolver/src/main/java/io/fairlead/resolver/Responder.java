package io.fairlead.resolver;

import io.fairlead.api.Ip;
import io.fairlead.zone.AddressNames;
import io.fairlead.zone.HotAnswers;
import io.fairlead.zone.Name;
import io.fairlead.zone.Query;
import io.fairlead.zone.RecordType;
import io.fairlead.zone.Reply;
import io.fairlead.zone.ResponseCode;
import io.fairlead.zone.Sections;
import io.fairlead.zone.Wire;
import io.fairlead.zone.Zone;
import io.fairlead.zone.ZoneAnswer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Answers one packet after the other on one thread; what is about the cluster without allocating anything.
final class Responder {
    /// No answer at all.
    static final int SILENCE = 0;

    /// The answer has to be waited for: [#resolve] does.
    static final int LATER = -1;

    private final Setup.Current current;
    private final Counters counters;
    private Setup setup;
    private ZonePart part = ZonePart.ELSEWHERE;
    private final Query query = new Query();
    private final Reply reply = new Reply();
    private final @Nullable HotAnswers hot;
    private final Consumer<Name> refresh;

    /// `hot` is for one that answers many questions.
    Responder(Setup.Current current, Counters counters, @Nullable HotAnswers hot) {
        this.hot = hot;
        this.current = current;
        this.setup = current.now();
        this.counters = counters;
        this.refresh = name -> setup.fetch(name, query.type());
    }

    /// Where the last question belongs to.
    ZonePart part() {
        return part;
    }

    Counters counters() {
        return counters;
    }

    /// The bytes of the last answer.
    byte[] bytes() {
        return reply.bytes();
    }

    Query query() {
        return query;
    }

    /// The length of the answer to a packet, [#SILENCE], or [#LATER]; `most` is what the carrier takes.
    int answer(byte[] packet, int length, int most) {
        setup = current.now();
        part = ZonePart.ELSEWHERE;
        int size = switch (query.read(packet, length)) {
            case SILENCE -> SILENCE;
            case MALFORMED -> reply.refuseHeader(query, ResponseCode.FORMERR);
            case NOT_IMPLEMENTED -> reply.refuseHeader(query, ResponseCode.NOTIMP);
            case BAD_VERSION -> reply.refuse(query, ResponseCode.BADVERS);
            case QUESTION -> question(most);
        };
        if (size > 0) {
            counters.count(part, query.type(), Wire.getShort(reply.bytes(), Wire.FLAGS) & Wire.CODE);
        }
        return size;
    }

    private int question(int most) {
        boolean transfer = query.type() == RecordType.AXFR || query.type() == RecordType.IXFR;
        if (query.recordClass() != RecordType.INTERNET || transfer) {
            return reply.refuse(query, ResponseCode.REFUSED);
        }
        if (setup.resolver().isLocal(query.name())) {
            return LATER;
        }
        @Nullable Zone zone = setup.zones().current();
        if (zone == null) {
            boolean ours =
                    query.name().isWithin(setup.zones().settings().origin()) || AddressNames.isReverse(query.name());
            return ours ? reply.refuse(query, ResponseCode.SERVFAIL) : elsewhere(most);
        }
        int size = hot == null ? 0 : hot.write(query, zone, reply);
        if (size > 0) {
            part = ZonePart.CLUSTER;
            return size;
        }
        ZoneAnswer answer = zone.answer(query.name(), query.type());
        if (answer instanceof ZoneAnswer.NotOurs) {
            return elsewhere(most);
        }
        part = query.name().isWithin(zone.settings().origin()) ? ZonePart.CLUSTER : ZonePart.REVERSE;
        boolean alias = answer instanceof ZoneAnswer.Alias && query.type() != RecordType.CNAME;
        if (alias
                || (answer instanceof ZoneAnswer.NoSuchName && setup.resolver().mayWalk(query.type()))) {
            return LATER;
        }
        if (hot != null && part == ZonePart.CLUSTER) {
            hot.keep(query, zone, answer);
        }
        return reply.write(query, answer, zone.authority(), limit(most));
    }

    private int elsewhere(int most) {
        if (setup.loops().isOurs(query.name(), query.type())) {
            return reply.refuse(query, ResponseCode.REFUSED);
        }
        long now = System.nanoTime();
        AnswerCache.@Nullable Entry cached = setup.resolver().cached(query.name(), query.type(), now, refresh);
        return cached == null ? LATER : reply.write(query, cached.answer(), cached.age(now), limit(most));
    }

    /// Waits for the answer to a client's packet for which [#answer] gave [#LATER]; gives its length.
    int resolve(byte[] packet, int length, int most, Ip client) {
        setup = current.now();
        query.read(packet, length);
        Name name = query.name().copy();
        part = name.isWithin(setup.zones().settings().origin()) ? ZonePart.CLUSTER : ZonePart.ELSEWHERE;
        Sections sections = setup.resolver().resolve(name, query.type(), client);
        counters.count(part, query.type(), sections.code());
        return reply.write(query, sections, limit(most));
    }

    /// The same question without an answer.
    int refuse(ResponseCode code) {
        counters.count(part, query.type(), code.code());
        return reply.refuse(query, code);
    }

    /// A carrier of datagrams takes what the client says it can.
    private int limit(int most) {
        return most == Reply.MAX_LENGTH ? most : Math.min(most, query.payload());
    }
}
