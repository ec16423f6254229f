package io.fairlead.nginx;

import static io.fairlead.nginx.Manifests.ingress;
import static io.fairlead.nginx.Manifests.secret;
import static io.fairlead.nginx.Manifests.service;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.testkit.RequiresRoot;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Streams in both directions, by a client and a server of gRPC, through a real nginx.
@RequiresRoot
final class GrpcIT {
    private static final String HOST = "talk.example.com";

    private Endpoints endpoints;
    private GrpcEcho echo;
    private Door door;
    private ManagedChannel channel;

    @BeforeEach
    void start() throws IOException {
        endpoints = new Endpoints();
        echo = new GrpcEcho();
        door = new Door(Door.makeFolder());
        String pem = Door.certificate(HOST);
        door.apply(Manifests.CLASS
                + secret("talk", pem)
                + service("hello", GrpcEcho.PORT, "10.244.1.1")
                + ingress(
                        "talk",
                        "fairlead.io/backend-protocol: GRPC",
                        HOST,
                        "{hosts: [%s], secretName: talk}".formatted(HOST)));
        byte[] trusted = pem.getBytes(StandardCharsets.UTF_8);
        channel = NettyChannelBuilder.forAddress("127.0.0.1", Door.HTTPS)
                .overrideAuthority(HOST)
                .sslContext(GrpcSslContexts.forClient()
                        .trustManager(new ByteArrayInputStream(trusted))
                        .build())
                .build();
        Door.until("served", () -> {
            try (Talk talk = new Talk()) {
                return talk.say("served?").equals("10.244.1.1 served?");
            }
        });
    }

    @AfterEach
    void stop() throws Exception {
        channel.shutdownNow();
        channel.awaitTermination(10, TimeUnit.SECONDS);
        door.close();
        echo.close();
        endpoints.close();
    }

    /// One stream in both directions.
    private final class Talk implements StreamObserver<String>, AutoCloseable {
        private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
        private final StreamObserver<String> mouth;

        Talk() {
            mouth = ClientCalls.asyncBidiStreamingCall(channel.newCall(GrpcEcho.TALK, CallOptions.DEFAULT), this);
        }

        /// What the server answers, or how the stream ended.
        String say(String message) throws InterruptedException {
            mouth.onNext(message);
            return hear();
        }

        String hear() throws InterruptedException {
            return String.valueOf(heard.poll(30, TimeUnit.SECONDS));
        }

        String end() throws InterruptedException {
            mouth.onCompleted();
            return hear();
        }

        @Override
        public void onNext(String message) {
            heard.add(message);
        }

        @Override
        public void onError(Throwable fault) {
            heard.add(Status.fromThrowable(fault).toString());
        }

        @Override
        public void onCompleted() {
            heard.add("OK");
        }

        @Override
        public void close() {
            mouth.onCompleted();
        }
    }

    @Test
    void a_stream_in_both_directions_goes_on_through_a_thousand_changes_of_endpoints() throws Exception {
        long reloads = door.settledReloads();
        Talk talk = new Talk();
        for (int i = 0; i < 1000; i++) {
            door.apply(service("hello", GrpcEcho.PORT, "10.244.1." + (2 + i % 50)));
            assertThat(talk.say("message " + i)).isEqualTo("10.244.1.1 message " + i);
        }
        Door.until("the next stream goes to the last endpoint", () -> {
            try (Talk next = new Talk()) {
                return next.say("where?").equals("10.244.1.51 where?");
            }
        });
        assertThat(talk.end()).isEqualTo("OK");
        assertThat(door.controller.reloads()).isEqualTo(reloads);
    }

    @Test
    void a_stream_outlives_a_reload_and_ends_with_the_status_of_the_server() throws Exception {
        Talk talk = new Talk();
        assertThat(talk.say("before")).isEqualTo("10.244.1.1 before");
        long reloads = door.settledReloads();
        door.apply(ingress("structure", "fairlead.io/proxy-body-size: 77k", "s.example.com", ""));
        Door.until("reloaded", () -> door.controller.reloads() > reloads);
        for (int i = 0; i < 100; i++) {
            assertThat(talk.say("after " + i)).isEqualTo("10.244.1.1 after " + i);
        }
        assertThat(talk.say(GrpcEcho.FAIL)).contains("FAILED_PRECONDITION").contains("asked for");
        try (Talk next = new Talk()) {
            assertThat(next.say("again")).as("by a new connection").isEqualTo("10.244.1.1 again");
        }
    }
}
