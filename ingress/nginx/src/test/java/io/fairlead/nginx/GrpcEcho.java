package io.fairlead.nginx;

import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/// A gRPC server on every address of the machine: it sends each message back behind the address it came to, and ends
/// the stream with an error when it is asked to.
final class GrpcEcho implements AutoCloseable {
    static final int PORT = 8090;

    /// The message that ends a stream with [Status#FAILED_PRECONDITION].
    static final String FAIL = "fail";

    static final MethodDescriptor<String, String> TALK = MethodDescriptor.<String, String>newBuilder()
            .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
            .setFullMethodName("test.Echo/Talk")
            .setRequestMarshaller(new Text())
            .setResponseMarshaller(new Text())
            .build();

    private final Server server;
    private final ThreadLocal<String> address = new ThreadLocal<>();

    GrpcEcho() throws IOException {
        ServerServiceDefinition service = ServerServiceDefinition.builder("test.Echo")
                .addMethod(TALK, ServerCalls.asyncBidiStreamingCall(this::talk))
                .build();
        server = NettyServerBuilder.forPort(PORT)
                .addService(ServerInterceptors.intercept(service, new Addresses()))
                .build()
                .start();
    }

    private StreamObserver<String> talk(StreamObserver<String> answers) {
        String here = address.get();
        return new StreamObserver<>() {
            @Override
            public void onNext(String message) {
                if (message.equals(FAIL)) {
                    answers.onError(Status.FAILED_PRECONDITION
                            .withDescription("asked for")
                            .asRuntimeException());
                } else {
                    answers.onNext(here + " " + message);
                }
            }

            @Override
            public void onError(Throwable fault) {
                // The client is gone.
            }

            @Override
            public void onCompleted() {
                answers.onCompleted();
            }
        };
    }

    @Override
    public void close() {
        server.shutdownNow();
        try {
            server.awaitTermination(10, TimeUnit.SECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /// Keeps the address to which a call came.
    private final class Addresses implements ServerInterceptor {
        @Override
        public <A, B> ServerCall.Listener<A> interceptCall(
                ServerCall<A, B> call, Metadata headers, ServerCallHandler<A, B> next) {
            if (call.getAttributes().get(Grpc.TRANSPORT_ATTR_LOCAL_ADDR) instanceof InetSocketAddress local) {
                address.set(local.getAddress().getHostAddress());
            }
            return next.startCall(call, headers);
        }
    }

    private static final class Text implements MethodDescriptor.Marshaller<String> {
        @Override
        public InputStream stream(String value) {
            return new ByteArrayInputStream(value.getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public String parse(InputStream stream) {
            try {
                return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
