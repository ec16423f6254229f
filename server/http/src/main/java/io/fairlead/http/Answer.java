package io.fairlead.http;

import io.fairlead.kinds.KindRules;
import io.fairlead.objects.ApiObject;
import io.fairlead.objects.KindCache;
import io.fairlead.streams.HttpHead;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/// What a request is answered with, apart from how it is written to the wire.
sealed interface Answer {
    /// One object; `warnings` go into headers (K31).
    record One(int code, KindRules rules, ApiObject object, List<String> warnings) implements Answer {}

    /// Objects of one kind, as of one revision, and what is left for later pages.
    record Many(KindRules rules, KindCache.Listing listing, Rest rest) implements Answer {
        Many(KindRules rules, KindCache.Listing listing) {
            this(rules, listing, Rest.NOTHING);
        }
    }

    /// How a list goes on: the token of its next page (empty on the last), and how many objects come there (negative:
    /// not counted).
    record Rest(String token, int count) {
        static final Rest NOTHING = new Rest("", -1);
    }

    /// A document that is no object of the store: a Status, a Scale, the list of groups.
    record Document(int code, ObjectNode json) implements Answer {}

    /// A page that changes only with the server itself: a client that names its `tag` need not be sent it again.
    record Page(String contentType, byte[] body, String tag) implements Answer {
        static Page of(String contentType, byte[] body) {
            return new Page(contentType, body, "\"" + hash(body) + "\"");
        }

        private static String hash(byte[] body) {
            try {
                byte[] hash = MessageDigest.getInstance("SHA-256").digest(body);
                return HexFormat.of().withUpperCase().formatHex(hash);
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("every Java has SHA-256", e);
            }
        }
    }

    /// An answer whose objects are shown in another group and version than they are stored.
    record Faced(Answer answer, KindFace face) implements Answer {}

    /// Text for people and for Prometheus.
    record Text(int code, String contentType, String text) implements Answer {}

    /// A stream of changes that goes on until the client or the server ends it.
    record Stream(WatchStream watch) implements Answer {}

    /// Bytes that come from a node while they are sent on; `source` is closed behind them.
    record Piped(HttpHead head, InputStream body, Closeable source) implements Answer {}

    /// A connection that stops being HTTP: `head` is the agent's 101, `body` what it says from then on.
    record Tunnel(HttpHead head, InputStream body, Socket socket) implements Answer {}

    /// For a connection that is of no more use, whatever it says to that.
    static void closeQuietly(Closeable source) {
        try {
            source.close();
        } catch (IOException e) {
            // It is as closed as it can be.
        }
    }

    static Answer.One ok(KindRules rules, ApiObject object) {
        return new One(200, rules, object, List.of());
    }
}
