package io.fairlead.store;

import io.grpc.Channel;
import io.grpc.ManagedChannel;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.ChannelOption;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.net.URI;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLException;

/// The members of an etcd cluster. All calls go to one of them, until it fails; then to the next.
final class EtcdMembers implements AutoCloseable {
    private static final int CONNECT_MILLIS = 2_000;
    // A member whose machine is gone answers nothing, not even that it is gone.
    private static final int SILENCE_SECONDS = 5;
    // A list comes in pages and a watch in fragments: both much smaller than this.
    private static final int LARGEST_ANSWER = 32 << 20;

    private final List<ManagedChannel> channels;
    private final AtomicInteger current = new AtomicInteger();

    private EtcdMembers(List<ManagedChannel> channels) {
        this.channels = channels;
    }

    /// Connects when it is first used.
    static EtcdMembers of(EtcdLocation location) {
        return new EtcdMembers(location.members().stream()
                .map(member -> channel(member, location.tls()))
                .toList());
    }

    private static ManagedChannel channel(URI member, EtcdLocation.Tls tls) {
        NettyChannelBuilder builder = NettyChannelBuilder.forAddress(member.getHost(), member.getPort())
                .directExecutor() // the callbacks of ours only hand over
                .withOption(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MILLIS)
                .keepAliveTime(SILENCE_SECONDS * 2, TimeUnit.SECONDS)
                .keepAliveTimeout(SILENCE_SECONDS, TimeUnit.SECONDS)
                .maxInboundMessageSize(LARGEST_ANSWER);
        return member.getScheme().equals("https")
                ? builder.sslContext(sslContext(tls)).build()
                : builder.usePlaintext().build();
    }

    private static SslContext sslContext(EtcdLocation.Tls tls) {
        try {
            SslContextBuilder builder = GrpcSslContexts.forClient();
            if (tls.ca() != null) {
                builder.trustManager(tls.ca().toFile());
            }
            if (tls.cert() != null && tls.key() != null) {
                builder.keyManager(tls.cert().toFile(), tls.key().toFile());
            }
            return builder.build();
        } catch (SSLException | IllegalArgumentException e) {
            throw new StoreException("cannot use the TLS files of the etcd store: " + e.getMessage(), e);
        }
    }

    Channel current() {
        return channels.get(current.get());
    }

    /// Goes on to the next member, if `failed` is still the current one.
    void leave(Channel failed) {
        int index = current.get();
        if (channels.get(index).equals(failed)) {
            int next = (index + 1) % channels.size();
            // The channel waits longer and longer between its attempts; how long to wait is for us to say.
            channels.get(next).resetConnectBackoff();
            current.compareAndSet(index, next);
        }
    }

    int size() {
        return channels.size();
    }

    @Override
    public void close() {
        channels.forEach(ManagedChannel::shutdownNow);
    }
}
