package io.fairlead.store;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KeyValue;
import io.fairlead.api.Revision;
import io.fairlead.store.Store.Stored;

/// Our keys in etcd: `PREFIX/key` for each key of the store, and `PREFIX.heartbeat`.
///
/// The heartbeat holds nothing. It is written only to see how far a watch has come when others write to the same etcd:
/// their writes take revisions too, but a watch on our keys does not tell of them.
final class EtcdKeys {
    private final String prefix;
    private final ByteString ours;

    EtcdKeys(String prefix) {
        this.prefix = prefix;
        this.ours = ByteString.copyFromUtf8(prefix + "/");
    }

    String prefix() {
        return prefix;
    }

    ByteString of(String key) {
        return ByteString.copyFromUtf8(prefix + "/" + key);
    }

    ByteString heartbeat() {
        return ByteString.copyFromUtf8(prefix + ".heartbeat");
    }

    /// The first key after all that start with `prefixOfKeys`. No key of ours ends in the last byte there is.
    ByteString end(String prefixOfKeys) {
        byte[] bytes = of(prefixOfKeys).toByteArray();
        bytes[bytes.length - 1]++;
        return ByteString.copyFrom(bytes);
    }

    /// The range of a watch: '.' comes just before '/', so that it has the heartbeat too.
    ByteString first() {
        return ByteString.copyFromUtf8(prefix + ".");
    }

    boolean isHeartbeat(KeyValue value) {
        return value.getKey().equals(heartbeat());
    }

    boolean isOurs(KeyValue value) {
        return value.getKey().startsWith(ours);
    }

    String key(KeyValue value) {
        return value.getKey().substring(ours.size()).toStringUtf8();
    }

    /// Of the write that the value, or its absence, is from.
    Revision revision(KeyValue value) {
        return EtcdRevisions.of(key(value), value.getModRevision());
    }

    Stored stored(KeyValue value) {
        String key = key(value);
        return new Stored(key, value.getValue().toByteArray(), EtcdRevisions.of(key, value.getModRevision()));
    }
}
