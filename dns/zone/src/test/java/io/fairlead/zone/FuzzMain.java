package io.fairlead.zone;

import io.fairlead.api.Service;
import io.fairlead.api.Snapshot;
import io.fairlead.yaml.Yaml;

/// What Jazzer calls with bytes of its own making: both decoders, and the answer to what was read.
public final class FuzzMain {
    private static final Zone ZONE = Zone.of(
            Snapshot.EMPTY.with(Service.of(Yaml.parseAll("""
                {metadata: {namespace: default, name: hello},
                 spec: {clusterIP: 10.96.0.10, ports: [{name: http, port: 80}]}}
                """).getFirst())), ZoneSettings.DEFAULT.withZoneScoped(true));
    private static final Query QUERY = new Query();
    private static final Reply REPLY = new Reply();

    private FuzzMain() {}

    public static void fuzzerTestOneInput(byte[] input) {
        if (QUERY.read(input, input.length) == Query.Reading.QUESTION) {
            ZoneAnswer answer = ZONE.answer(QUERY.name(), QUERY.type());
            int length = REPLY.write(QUERY, answer, ZONE.authority(), QUERY.payload());
            if (length > Math.max(QUERY.payload(), input.length + Authority.LENGTH + 11)) {
                throw new IllegalStateException("an answer of %d bytes".formatted(length));
            }
            if (Response.find(REPLY.bytes(), length).isEmpty()) {
                throw new IllegalStateException("an answer that cannot be read");
            }
        }
        Response.find(input, input.length).ifPresent(FuzzMain::print);
    }

    private static void print(Response response) {
        for (ResourceRecord record : response.sections().answers()) {
            if (record.toString().isEmpty()) {
                throw new IllegalStateException("a record without a text");
            }
        }
    }
}
