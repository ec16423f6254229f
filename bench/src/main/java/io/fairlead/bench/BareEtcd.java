package io.fairlead.bench;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.PutRequest;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import java.net.URI;

/// A client that does nothing but write to etcd what the API server writes for one create of a Service: the
/// claim of its address, and then the Service, each with a call of its own.
final class BareEtcd implements AutoCloseable {
    // As large as the real ones.
    private static final ByteString CLAIM = ByteString.copyFromUtf8("c".repeat(393));
    private static final ByteString SERVICE = ByteString.copyFromUtf8("s".repeat(850));

    private final ManagedChannel channel;
    private final KVGrpc.KVBlockingStub etcd;

    private BareEtcd(ManagedChannel channel) {
        this.channel = channel;
        this.etcd = KVGrpc.newBlockingStub(channel);
    }

    static BareEtcd connect(String address) {
        URI member = URI.create(address);
        return new BareEtcd(NettyChannelBuilder.forAddress(member.getHost(), member.getPort())
                .usePlaintext()
                .directExecutor()
                .build());
    }

    /// One of many who write at once over the one connection, as the API server does.
    WriteLoad.Client client() {
        return this::create;
    }

    private void create(int number) {
        put("/fairlead/ipaddresses.networking.k8s.io/10.96.%d".formatted(number), CLAIM);
        put("/fairlead/services/default/web-%d".formatted(number), SERVICE);
    }

    private void put(String key, ByteString value) {
        PutRequest request = PutRequest.newBuilder()
                .setKey(ByteString.copyFromUtf8(key))
                .setValue(value)
                .build();
        if (etcd.put(request).getHeader().getRevision() == 0) {
            throw new IllegalStateException("etcd wrote nothing");
        }
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }
}
