package io.fairlead.resolver;

import io.fairlead.api.Ip;
import io.fairlead.zone.Name;
import io.fairlead.zone.ResourceRecord;
import io.fairlead.zone.ResponseCode;
import io.fairlead.zone.Sections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Names that the one who set the server up wants answered otherwise: addresses of hosts, and names that stand for
/// others.
public record LocalNames(Map<Name, List<Ip>> hosts, Map<Name, Name> rewrites) {
    static final LocalNames NONE = new LocalNames(Map.of(), Map.of());

    private static final int TTL = 3600;

    public LocalNames {
        hosts = Map.copyOf(hosts);
        rewrites = Map.copyOf(rewrites);
    }

    boolean has(Name name) {
        return (!hosts.isEmpty() && hosts.containsKey(name)) || (!rewrites.isEmpty() && rewrites.containsKey(name));
    }

    /// The name that is meant.
    Name meant(Name name) {
        return rewrites.getOrDefault(name, name);
    }

    /// The addresses of a host, of the type that is asked for.
    Optional<Sections> answer(Name name, int type) {
        return Optional.ofNullable(hosts.get(name)).map(addresses -> {
            List<ResourceRecord> records = addresses.stream()
                    .map(ip -> ResourceRecord.of(name, TTL, ip))
                    .filter(record -> record.type() == type)
                    .toList();
            return new Sections(ResponseCode.NOERROR.code(), records, List.of(), List.of());
        });
    }
}
