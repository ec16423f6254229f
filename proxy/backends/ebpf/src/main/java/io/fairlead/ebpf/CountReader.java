package io.fairlead.ebpf;

import io.fairlead.ebpf.EbpfEntry.Name;
import io.fairlead.forwarding.ConnectionCount;
import io.fairlead.forwarding.ServicePortName;
import io.fairlead.kernel.BpfMap;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What the map `connection` says, which the programs fill: under a frontend and a target the connections led there,
/// and under a frontend alone all that came to it.
final class CountReader {
    private static final String COUNTERS = "connection";

    /// What tells a counter from the others.
    private record Counter(AddressKey frontend, Optional<AddressKey> target) {}

    private CountReader() {}

    /// Of those Services that are still there.
    static List<ConnectionCount> read(Map<String, BpfMap> maps) {
        @Nullable BpfMap counters = maps.get(COUNTERS);
        @Nullable BpfMap names = maps.get(EbpfTable.NAME.toString());
        if (counters == null || names == null) {
            return List.of();
        }
        Map<AddressKey, String> services = new HashMap<>();
        names.forEach((key, value) -> {
            Name name = (Name) EbpfMessages.decode(EbpfTable.NAME, key, value);
            services.put(name.frontend(), name.service());
        });
        List<ConnectionCount> counts = new ArrayList<>();
        counters.forEach((key, value) -> count(key, value, services).ifPresent(counts::add));
        return counts;
    }

    private static Optional<ConnectionCount> count(byte[] key, byte[] value, Map<AddressKey, String> services) {
        ByteBuffer bytes = ByteBuffer.wrap(key);
        AddressKey frontend = EbpfMessages.place(bytes);
        Optional<AddressKey> target = EbpfMessages.findPlace(bytes);
        long connections = ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN).getLong();
        return Optional.ofNullable(services.get(frontend))
                .flatMap(name -> ServicePortName.find(name, frontend.protocol()))
                .map(service -> count(new Counter(frontend, target), service, connections));
    }

    private static ConnectionCount count(Counter counter, ServicePortName service, long connections) {
        return counter.target
                .<ConnectionCount>map(
                        target -> new ConnectionCount.ToTarget(counter, service, target.at(), connections))
                .orElseGet(() -> new ConnectionCount.ToService(counter, service, connections));
    }
}
