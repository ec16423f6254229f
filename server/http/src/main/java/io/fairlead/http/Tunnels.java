package io.fairlead.http;

import io.fairlead.runtime.TaskGroup;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import org.eclipse.jetty.io.AbstractConnection;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.HttpStream;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.FutureCallback;

/// Connections that stop being HTTP: from then on each byte of the client goes to an agent, and each of the agent's to
/// the client.
final class Tunnels {
    private static final int BLOCK = 32 * 1024;
    private static final long IDLE_MILLIS = 4 * 3600 * 1000L; // as the kubelet has it for such connections

    private final TaskGroup tasks;
    private final Executor executor;

    Tunnels(TaskGroup tasks, Executor executor) {
        this.tasks = tasks;
        this.executor = executor;
    }

    /// True if the answer is a tunnel: the connection is one from now on, and the callback no longer the caller's.
    boolean take(Answer answer, Request request, Response response, Callback callback) {
        if (!(answer instanceof Answer.Tunnel tunnel)) {
            return false;
        }
        EndPoint client = request.getConnectionMetaData().getConnection().getEndPoint();
        request.setAttribute(HttpStream.UPGRADE_CONNECTION_ATTRIBUTE, new Passage(client, tunnel));
        response.setStatus(101);
        tunnel.head().headers().forEach(header -> response.getHeaders().put(header.name(), header.value()));
        callback.succeeded();
        return true;
    }

    private final class Passage extends AbstractConnection implements Connection.UpgradeTo {
        private final Answer.Tunnel tunnel;
        private ByteBuffer early = BufferUtil.EMPTY_BUFFER; // what came behind the request, before we were here

        Passage(EndPoint client, Answer.Tunnel tunnel) {
            super(client, executor);
            this.tunnel = tunnel;
        }

        @Override
        public void onUpgradeTo(ByteBuffer prefilled) {
            early = BufferUtil.copy(prefilled);
        }

        @Override
        public void onOpen() {
            super.onOpen();
            getEndPoint().setIdleTimeout(IDLE_MILLIS);
            tasks.runAlone("tunnel-in", this::copyFromClient);
            tasks.runAlone("tunnel-out", this::copyToClient);
        }

        @Override
        public void onFillable() {
            throw new IllegalStateException("this connection waits for its bytes itself");
        }

        private void copyFromClient() throws InterruptedException {
            ByteBuffer block = BufferUtil.allocate(BLOCK);
            try {
                if (early.hasRemaining()) {
                    tunnel.socket().getOutputStream().write(BufferUtil.toArray(early));
                }
                while (fill(block) >= 0) {
                    tunnel.socket().getOutputStream().write(BufferUtil.toArray(block));
                    BufferUtil.clear(block);
                }
            } catch (IOException | ExecutionException e) {
                // One side left; the other learns it below.
            } finally {
                Answer.closeQuietly(tunnel.socket());
            }
        }

        private int fill(ByteBuffer block) throws IOException, InterruptedException, ExecutionException {
            int count = getEndPoint().fill(block);
            while (count == 0) {
                FutureCallback readable = new FutureCallback();
                getEndPoint().fillInterested(readable);
                readable.get();
                count = getEndPoint().fill(block);
            }
            return count;
        }

        private void copyToClient() throws InterruptedException {
            byte[] block = new byte[BLOCK];
            try {
                for (int count = tunnel.body().read(block);
                        count >= 0;
                        count = tunnel.body().read(block)) {
                    FutureCallback written = new FutureCallback();
                    getEndPoint().write(written, ByteBuffer.wrap(block, 0, count));
                    written.get();
                }
            } catch (IOException | ExecutionException e) {
                // As above.
            } finally {
                close();
            }
        }
    }
}
