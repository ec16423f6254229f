package io.fairlead.zone;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.EndpointSlice;
import io.fairlead.api.Service;
import io.fairlead.api.Snapshot;
import io.fairlead.yaml.Yaml;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.Opcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

final class WireTest {
    private static final String MANY = "many.default.svc.cluster.local.";

    private final Query query = new Query();
    private final Reply reply = new Reply();

    @Test
    void an_answer_that_is_too_long_is_cut_and_says_so() throws IOException {
        Zone zone = zone(100);
        Message cut = ask(zone, question(MANY, Type.A), 512);
        assertThat(cut.getHeader().getFlag(Flags.TC)).isTrue();
        assertThat(cut.toWire().length).isLessThanOrEqualTo(512);
        assertThat(cut.getSection(Section.ANSWER)).hasSizeBetween(20, 30);
        Message whole = ask(zone, question(MANY, Type.A), Reply.MAX_LENGTH);
        assertThat(whole.getHeader().getFlag(Flags.TC)).isFalse();
        assertThat(whole.getSection(Section.ANSWER)).hasSize(100);
    }

    @Test
    void extra_records_are_left_out_before_anything_is_cut() throws IOException {
        Message srv = ask(zone(5), question("_http._tcp." + MANY, Type.SRV), 512);
        assertThat(srv.getHeader().getFlag(Flags.TC)).isFalse();
        assertThat(srv.getSection(Section.ANSWER)).hasSize(5);
        assertThat(srv.getSection(Section.ADDITIONAL)).isEmpty();
        assertThat(ask(zone(5), question("_http._tcp." + MANY, Type.SRV), 4096).getSection(Section.ADDITIONAL))
                .hasSize(5);
    }

    @Test
    void what_was_answered_lately_is_answered_so_again_until_the_zone_changes() throws IOException {
        HotAnswers hot = new HotAnswers();
        Zone zone = zone(1);
        for (String name : List.of(MANY, "10-244-1-1." + MANY, "dns-version.cluster.local.")) {
            for (int type : List.of(Type.A, Type.AAAA, Type.TXT)) {
                Message question = question(name, type);
                byte[] packet = question.toWire();
                query.read(packet, packet.length);
                assertThat(hot.write(query, zone, reply)).as("unknown yet").isZero();
                ZoneAnswer answer = zone.answer(query.name(), query.type());
                hot.keep(query, zone, answer);
                int size = hot.write(query, zone, reply);
                assertThat(size > 0).as("%s %d", name, type).isEqualTo(answer instanceof ZoneAnswer.Found);
                if (size > 0) {
                    Message again = new Message(Arrays.copyOf(reply.bytes(), size));
                    assertThat(again.getSection(Section.ANSWER))
                            .isEqualTo(ask(zone, question, 512).getSection(Section.ANSWER));
                    packet = question(name.toUpperCase(Locale.ROOT), type).toWire();
                    query.read(packet, packet.length);
                    assertThat(hot.write(query, zone, reply)).isEqualTo(size);
                }
            }
        }
        byte[] packet = question(MANY, Type.A).toWire();
        query.read(packet, packet.length);
        assertThat(hot.write(query, zone, reply)).isPositive();
        assertThat(hot.write(query, zone(2), reply)).as("another zone").isZero();
        assertThat(hot.write(query, zone, reply)).as("forgotten").isZero();
    }

    @Test
    void each_answer_begins_with_another_address() throws IOException {
        Zone zone = zone(4);
        Set<String> first = new HashSet<>();
        for (int i = 0; i < 4; i++) {
            List<Record> answers = ask(zone, question(MANY, Type.A), 512).getSection(Section.ANSWER);
            assertThat(new HashSet<>(answers)).hasSize(4);
            first.add(answers.getFirst().rdataToString());
        }
        assertThat(first).hasSize(4);
    }

    @Test
    void the_size_of_an_edns_client_is_known_and_edns_answered() throws IOException {
        Message question = question(MANY, Type.A);
        question.addRecord(new org.xbill.DNS.OPTRecord(1400, 0, 0, Flags.DO), Section.ADDITIONAL);
        Message answer = ask(zone(3), question, 1400);
        assertThat(query.payload()).isEqualTo(1400);
        assertThat(answer.getOPT()).isNotNull();
        assertThat(answer.getOPT().getPayloadSize()).isEqualTo(Reply.OWN_PAYLOAD);
    }

    @Test
    void what_is_no_plain_question_is_told_apart() {
        Message question = question(MANY, Type.A);
        question.getHeader().setOpcode(Opcode.UPDATE);
        assertThat(read(question.toWire())).isEqualTo(Query.Reading.NOT_IMPLEMENTED);
        Message answer = question(MANY, Type.A);
        answer.getHeader().setFlag(Flags.QR);
        assertThat(read(answer.toWire())).isEqualTo(Query.Reading.SILENCE);
        Message later = question(MANY, Type.A);
        later.addRecord(new org.xbill.DNS.OPTRecord(1232, 0, 1), Section.ADDITIONAL);
        assertThat(read(later.toWire())).isEqualTo(Query.Reading.BAD_VERSION);
        Message twice = question(MANY, Type.A);
        twice.addRecord(new org.xbill.DNS.OPTRecord(1232, 0, 0), Section.ADDITIONAL);
        twice.addRecord(new org.xbill.DNS.OPTRecord(1232, 0, 0), Section.ADDITIONAL);
        assertThat(read(twice.toWire())).isEqualTo(Query.Reading.MALFORMED);
        byte[] short_ = Arrays.copyOf(question(MANY, Type.A).toWire(), 20);
        assertThat(read(short_)).isEqualTo(Query.Reading.MALFORMED);
        assertThat(read(new byte[5])).isEqualTo(Query.Reading.SILENCE);
    }

    @Test
    void bytes_at_random_are_read_without_an_exception() {
        Random random = new Random(3);
        byte[] seed = question(MANY, Type.A).toWire();
        for (int i = 0; i < 200_000; i++) {
            byte[] bytes = seed.clone();
            for (int j = 0; j < 1 + random.nextInt(6); j++) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            }
            read(bytes);
            bytes[2] |= (byte) 0x80;
            Response.find(bytes, bytes.length - random.nextInt(10));
        }
    }

    @Test
    void a_pointer_that_leads_to_itself_ends_the_reading() {
        byte[] bytes = question(MANY, Type.A).toWire();
        bytes[2] |= (byte) 0x80;
        bytes[12] = (byte) 0xc0;
        bytes[13] = 12;
        assertThat(Response.find(bytes, bytes.length)).isEmpty();
    }

    @Test
    void what_dnsjava_writes_is_read_as_it_was_meant() throws IOException {
        Message message = question("www.example.org.", Type.A);
        message.getHeader().setFlag(Flags.QR);
        List.of(
                        "www.example.org. 60 IN CNAME web.example.org.",
                        "web.example.org. 30 IN A 192.0.2.1",
                        "example.org. 60 IN MX 10 mail.example.org.",
                        "example.org. 60 IN SOA ns.example.org. me.example.org. 1 2 3 4 5",
                        "example.org. 60 IN TXT \"some text\"")
                .forEach(line -> message.addRecord(record(line), Section.ANSWER));
        byte[] wire = message.toWire();
        Response response = Response.find(wire, wire.length).orElseThrow();
        assertThat(response.name()).isEqualTo(Name.of("www.example.org"));
        assertThat(response.sections().answers().stream().map(ResourceRecord::toString))
                .containsExactly(
                        "www.example.org. 60 IN CNAME web.example.org.",
                        "web.example.org. 30 IN A 192.0.2.1",
                        "example.org. 60 IN MX 10 mail.example.org.",
                        "example.org. 60 IN SOA ns.example.org. me.example.org. 1 2 3 4 5",
                        "example.org. 60 IN TXT \"some text\"");
    }

    private static Record record(String line) {
        try (org.xbill.DNS.Master master = new org.xbill.DNS.Master(
                new java.io.ByteArrayInputStream(line.getBytes(java.nio.charset.StandardCharsets.UTF_8)))) {
            return master.nextRecord();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private Query.Reading read(byte[] bytes) {
        return query.read(bytes, bytes.length);
    }

    private Message ask(Zone zone, Message question, int limit) throws IOException {
        assertThat(read(question.toWire())).isEqualTo(Query.Reading.QUESTION);
        ZoneAnswer answer = zone.answer(query.name(), query.type());
        int length = reply.write(query, answer, zone.authority(), limit);
        return new Message(Arrays.copyOf(reply.bytes(), length));
    }

    private static Message question(String name, int type) {
        return Message.newQuery(Record.newRecord(org.xbill.DNS.Name.fromConstantString(name), type, DClass.IN));
    }

    private static Zone zone(int endpoints) {
        String addresses = IntStream.rangeClosed(1, endpoints)
                .mapToObj("{addresses: [10.244.1.%d]}"::formatted)
                .collect(Collectors.joining(", "));
        Service service = Service.of(Yaml.parseAll("""
            {metadata: {namespace: default, name: many}, spec: {clusterIP: None, ports: [{port: 80}]}}
            """).getFirst());
        EndpointSlice slice =
                EndpointSlice.of(Yaml.parseAll("""
                    {metadata: {namespace: default, name: many-1, labels: {kubernetes.io/service-name: many}},
                     addressType: IPv4, ports: [{name: http, port: 80, protocol: TCP}], endpoints: [%s]}
                    """.formatted(addresses)).getFirst());
        return Zone.of(Snapshot.EMPTY.with(service).with(slice), ZoneSettings.DEFAULT);
    }
}
