package io.fairlead.bench;

import io.fairlead.api.IpPort;
import io.fairlead.apiserver.ApiServer;
import io.fairlead.apiserver.ApiServerConfig;
import io.fairlead.store.StoreLocation;

/// An API server by itself, without TLS, that others measure or kill. Arguments: the store and the address.
public final class ServerMain {
    static final String READY = "ready";

    private ServerMain() {}

    public static void main(String[] args) throws InterruptedException {
        try (var store = StoreLocation.parse(args[0]).open();
                var _ = ApiServer.start(ApiServerConfig.at(IpPort.parse(args[1])), store)) {
            System.out.println(READY);
            Thread.sleep(Long.MAX_VALUE);
        }
    }
}
