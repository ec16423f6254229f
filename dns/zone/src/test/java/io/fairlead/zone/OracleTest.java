package io.fairlead.zone;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Snapshot;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Master;
import org.xbill.DNS.Message;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.SetResponse;
import org.xbill.DNS.TextParseException;
import org.xbill.DNS.Type;

/// Random zones asked at random: what our bytes say, and what dnsjava says of the same records.
final class OracleTest {
    private static final org.xbill.DNS.Name ORIGIN = org.xbill.DNS.Name.fromConstantString("cluster.local.");
    private static final int[] TYPES = {Type.A, Type.AAAA, Type.SRV, Type.CNAME, Type.MX, Type.TXT, Type.NS, Type.SOA};

    private final Query query = new Query();
    private final Reply reply = new Reply();

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void our_answers_are_those_of_dnsjava(long seed) throws IOException {
        RandomCluster cluster = new RandomCluster(seed);
        Snapshot snapshot = Snapshot.EMPTY;
        for (int step = 0; step < 150; step++) {
            snapshot = cluster.step();
        }
        Zone zone = Zone.of(snapshot, ZoneSettings.DEFAULT.withPods(ZoneSettings.PodMode.VERIFIED));
        org.xbill.DNS.Zone oracle = oracle(zone);
        List<String> names = names(zone);
        Random random = new Random(seed);
        for (int i = 0; i < 3000; i++) {
            String name = scrambled(names.get(random.nextInt(names.size())), random);
            int type = TYPES[random.nextInt(TYPES.length)];
            compare(zone, oracle, org.xbill.DNS.Name.fromString(name), type);
        }
    }

    private void compare(Zone zone, org.xbill.DNS.Zone oracle, org.xbill.DNS.Name name, int type) throws IOException {
        Message ours = ask(zone, name, type);
        SetResponse theirs = oracle.findRecords(name, type);
        String what = name + " " + Type.string(type);
        assertThat(ours.getHeader().getFlag(Flags.AA)).as(what).isTrue();
        assertThat(ours.getQuestion().getName().toString()).as("the case stays").isEqualTo(name.toString());
        if (theirs.isSuccessful() || theirs.isCNAME()) {
            Set<String> expected = new TreeSet<>();
            if (theirs.isCNAME()) {
                expected.add(theirs.getCNAME().rdataToString());
            } else {
                theirs.answers().forEach(set -> set.rrs().forEach(record -> expected.add(record.rdataToString())));
            }
            assertThat(rdata(ours, Section.ANSWER)).as(what).isEqualTo(expected);
            return;
        }
        // dnsjava has no answer for a name that is there for those below it alone.
        boolean there = zone.names().contains(Name.of(name.toString())) || theirs.isNXRRSET();
        assertThat(Rcode.string(ours.getRcode())).as(what).isEqualTo(there ? "NOERROR" : "NXDOMAIN");
        assertThat(ours.getSection(Section.ANSWER)).isEmpty();
        assertThat(ours.getSection(Section.AUTHORITY)).singleElement().satisfies(soa -> {
            assertThat(soa.getType()).isEqualTo(Type.SOA);
            assertThat(soa.getName()).isEqualTo(ORIGIN);
            assertThat(soa).isEqualTo(oracle.getSOA());
        });
    }

    private Message ask(Zone zone, org.xbill.DNS.Name name, int type) throws IOException {
        byte[] wire = Message.newQuery(Record.newRecord(name, type, DClass.IN)).toWire();
        assertThat(query.read(wire, wire.length)).isEqualTo(Query.Reading.QUESTION);
        int length = reply.write(query, zone.answer(query.name(), type), zone.authority(), Reply.MAX_LENGTH);
        return new Message(java.util.Arrays.copyOf(reply.bytes(), length));
    }

    private static Set<String> rdata(Message message, int section) {
        return message.getSection(section).stream()
                .map(Record::rdataToString)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static org.xbill.DNS.Zone oracle(Zone zone) throws IOException {
        List<Record> records = new ArrayList<>();
        byte[] text = zone.text().getBytes(StandardCharsets.UTF_8);
        try (Master master = new Master(new ByteArrayInputStream(text), org.xbill.DNS.Name.root)) {
            for (Record record = master.nextRecord(); record != null; record = master.nextRecord()) {
                if (record.getName().subdomain(ORIGIN)) {
                    records.add(record);
                }
            }
        }
        return new org.xbill.DNS.Zone(ORIGIN, records.toArray(Record[]::new));
    }

    /// All there are in the domain, those above them, and some that are not there.
    private static List<String> names(Zone zone) throws TextParseException {
        Set<String> names = new TreeSet<>();
        for (Name name : zone.names().keys().toList()) {
            org.xbill.DNS.Name at = org.xbill.DNS.Name.fromString(name.toString());
            if (at.subdomain(ORIGIN)) {
                names.add(name.toString());
                names.add("no." + name);
                names.add(
                        name.parent().isWithin(Name.of("cluster.local"))
                                ? name.parent().toString()
                                : name.toString());
                names.add("x" + name);
            }
        }
        return List.copyOf(names.stream()
                .filter(name -> Name.of(name).isWithin(Name.of("cluster.local")))
                .toList());
    }

    private static String scrambled(String name, Random random) {
        StringBuilder text = new StringBuilder(name);
        for (int i = 0; i < text.length(); i++) {
            if (random.nextInt(4) == 0) {
                text.setCharAt(i, Character.toUpperCase(text.charAt(i)));
            }
        }
        return text.toString();
    }
}
