package io.fairlead.nginx;

import io.fairlead.api.ConfigMap;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Protocol;
import io.fairlead.api.Snapshot;
import io.fairlead.routes.NginxLayout;
import io.fairlead.routes.Passthrough;
import io.fairlead.routes.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// What holds for all Ingresses at one Snapshot, and what was wrong with it.
record SharedSettings(Settings settings, List<Passthrough> passthroughs, List<String> warnings) {
    /// `place` has the ports that are ours already.
    static SharedSettings of(Snapshot snapshot, IngressConfig.Sources sources, NginxLayout place) {
        Settings.Reading reading = Settings.read(values(snapshot, sources.settings()));
        List<String> warnings = new ArrayList<>(reading.warnings());
        List<Passthrough> all = new ArrayList<>();
        all.addAll(Passthrough.read(snapshot, Protocol.TCP, values(snapshot, sources.tcp()), warnings));
        all.addAll(Passthrough.read(snapshot, Protocol.UDP, values(snapshot, sources.udp()), warnings));
        all.removeIf(one -> {
            boolean taken = one.port() == place.httpPort() || one.port() == place.httpsPort();
            if (taken) {
                warnings.add("%s %d: the port is that of HTTP or HTTPS".formatted(one.protocol(), one.port()));
            }
            return taken;
        });
        return new SharedSettings(reading.settings(), List.copyOf(all), List.copyOf(warnings));
    }

    private static Map<String, String> values(Snapshot snapshot, NamespacedName name) {
        return snapshot.configMaps().find(name).map(ConfigMap::values).orElse(Map.of());
    }
}
