package io.fairlead.kernel;

import java.util.List;

/// Batches to netfilter and dumps from it, in the network namespace of the thread that opened it.
///
/// The kernel does all work of a batch inside the send, which may block the calling thread for some tenths of a
/// second when the batch is large. A socket belongs to one thread at a time.
public final class NetfilterSocket implements AutoCloseable {
    private final NetlinkSocket socket;

    private NetfilterSocket(NetlinkSocket socket) {
        this.socket = socket;
    }

    /// Opens it in the calling thread's network namespace.
    public static NetfilterSocket open() {
        return new NetfilterSocket(NetlinkSocket.open(NetlinkSocket.NETFILTER));
    }

    /// The address of this socket: the owner of the tables it creates.
    public int portId() {
        return socket.portId();
    }

    /// Sends a batch. Gives what the kernel objects to; if there is nothing, the batch is in force, else none of it.
    public List<NetfilterRefusal> commit(NetfilterBatch batch) {
        socket.send(batch.toBytes());
        return socket.drain().stream()
                .filter(NetlinkMessage::isError)
                .map(NetfilterRefusal::of)
                .toList();
    }

    /// The messages of a dump that no change overtook; throws [KernelException] if the kernel refuses it.
    public List<NetlinkMessage> dump(NetlinkWriter request) {
        return socket.dump(request.toBytes());
    }

    /// The messages of a dump, though a change may have overtaken it: something may be missing or told twice.
    public List<NetlinkMessage> dumpOnce(NetlinkWriter request) {
        return socket.dumpOnce(request.toBytes());
    }

    /// The messages that answer one request; throws [KernelException] if the kernel refuses it.
    public List<NetlinkMessage> ask(NetlinkWriter request) {
        socket.send(request.toBytes());
        List<NetlinkMessage> answers = socket.drain();
        answers.forEach(answer -> answer.throwIfError("request"));
        return answers;
    }

    @Override
    public void close() {
        socket.close();
    }
}
