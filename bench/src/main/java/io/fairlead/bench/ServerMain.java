package io.fairlead.bench;

import io.fairlead.access.Pki;
import io.fairlead.access.StaticTokens;
import io.fairlead.api.Cidr;
import io.fairlead.api.IpPort;
import io.fairlead.http.ApiServer;
import io.fairlead.http.ApiServerConfig;
import io.fairlead.http.ClientAccess;
import io.fairlead.store.StoreLocation;
import java.nio.file.Path;
import java.util.List;

/// An API server by itself, that others measure or kill. Arguments: the store, the address, and the folder of its keys;
/// without the last it speaks plain HTTP to every client.
public final class ServerMain {
    static final String READY = "ready";

    // A bench makes more Services than the usual block has addresses.
    private static final Cidr SERVICES = Cidr.parse("10.64.0.0/12");

    private ServerMain() {}

    public static void main(String[] args) throws InterruptedException {
        ApiServerConfig config = ApiServerConfig.at(IpPort.parse(args[1])).withServiceCidrs(List.of(SERVICES));
        if (args.length > 2) {
            config = config.withClientAccess(new ClientAccess.Guarded(Pki.open(Path.of(args[2])), StaticTokens.NONE));
        }
        try (var store = StoreLocation.parse(args[0]).open();
                var _ = ApiServer.start(config, store)) {
            System.out.println(READY);
            Thread.sleep(Long.MAX_VALUE);
        }
    }
}
