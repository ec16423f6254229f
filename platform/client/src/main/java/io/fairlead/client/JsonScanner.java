package io.fairlead.client;

import io.fairlead.api.Ip;
import io.fairlead.api.Json;
import io.fairlead.api.ParseException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// JSON as it comes, value after value: for lists of many thousand objects, which a proxy reads while clients wait.
///
/// It works on bytes. What is not asked for is passed over, and a text that came before is not made again. It trusts
/// the sender to write JSON: an early end and what is no value are faults, commas and colons are not looked at.
final class JsonScanner {
    private static final int WINDOW = 64 << 10;
    private static final int LONGEST_VALUE = 64 << 20;
    private static final int DEEPEST = 500;
    private static final int MOST_DIGITS = 9; // of a number that fits whatever it is
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private final InputStream source;
    private final Set<String> unread;
    private final SharedTexts texts;
    private byte[] window = new byte[WINDOW];
    private int at; // the next byte
    private int end; // behind the last one that has come
    private int from; // the value that was passed over last, without its quotes
    private int to;
    private int hash;
    private boolean escaped;
    private int depth;

    /// Fields of these names are passed over, wherever [#field] finds them.
    JsonScanner(InputStream source, Set<String> unread) {
        this.source = source;
        this.unread = unread;
        this.texts = new SharedTexts(unread);
    }

    /// Enters an object, if the next value is one.
    boolean entersObject() throws IOException {
        return enters('{');
    }

    /// Enters an array, if the next value is one.
    boolean entersArray() throws IOException {
        return enters('[');
    }

    private boolean enters(char opening) throws IOException {
        if (next() != opening) {
            return false;
        }
        at++;
        return true;
    }

    /// The name of the next field that is read; nothing behind the last one, and then the object is left.
    @Nullable
    String field() throws IOException {
        while (entersField()) {
            if (escaped) {
                String name = unescaped();
                if (!unread.contains(name)) {
                    return name;
                }
            } else {
                SharedTexts.Known name = texts.name(window, from, to, hash);
                if (!name.unread()) {
                    return name.text();
                }
            }
            skip();
        }
        return null;
    }

    /// Like [#field], for objects that are maps: their keys are no names of fields.
    @Nullable
    String key() throws IOException {
        if (!entersField()) {
            return null;
        }
        return escaped ? unescaped() : texts.name(window, from, to, hash).text();
    }

    /// Passes over the name of the next field; false behind the last one.
    private boolean entersField() throws IOException {
        byte first = next();
        if (first == '}') {
            at++;
            return false;
        }
        if (first != '"') {
            throw unexpected();
        }
        passText();
        return true;
    }

    /// Whether one more value comes in an array; otherwise the array is left.
    boolean hasItem() throws IOException {
        if (next() != ']') {
            return true;
        }
        at++;
        return false;
    }

    boolean isText() throws IOException {
        return next() == '"';
    }

    /// The text that comes next; whatever else comes is passed over and counts as the empty one.
    String text() throws IOException {
        return passesText() ? (escaped ? unescaped() : texts.text(window, from, to)) : "";
    }

    /// Like [#text], for one of a few that come again and again.
    String sharedText() throws IOException {
        return passesText() ? (escaped ? unescaped() : texts.shared(window, from, to, hash)) : "";
    }

    /// The address that comes next; nothing where it is none.
    @Nullable
    Ip address() throws IOException {
        if (!passesText()) {
            return null;
        }
        Ip ip = Ip.ipv4(window, from, to);
        return ip != null
                ? ip
                : Ip.find(escaped ? unescaped() : texts.text(window, from, to)).orElse(null);
    }

    private boolean passesText() throws IOException {
        if (isText()) {
            passText();
            return true;
        }
        skip();
        return false;
    }

    /// The truth that comes next; `otherwise` for whatever else it is.
    boolean flag(boolean otherwise) throws IOException {
        byte first = next();
        skip();
        return first == 't' || (first != 'f' && otherwise);
    }

    /// Passes over the next value, whatever it is.
    void skip() throws IOException {
        int open = 0;
        do {
            switch (next()) {
                case '"' -> passText();
                case '{', '[' -> {
                    open++;
                    at++;
                }
                case '}', ']' -> {
                    open--;
                    at++;
                }
                default -> passLiteral();
            }
        } while (open > 0);
        if (open < 0) {
            throw new ParseException("not JSON: a value is missing");
        }
    }

    /// The next value as a tree, without the fields that are not read.
    JsonNode tree() throws IOException {
        return switch (next()) {
            case '{' -> objectTree();
            case '[' -> arrayTree();
            case '"' -> NODES.stringNode(text());
            default -> literalTree();
        };
    }

    private ObjectNode objectTree() throws IOException {
        deeper();
        ObjectNode object = NODES.objectNode();
        for (String field = field(); field != null; field = field()) {
            object.set(field, tree());
        }
        depth--;
        return object;
    }

    private ArrayNode arrayTree() throws IOException {
        deeper();
        ArrayNode array = NODES.arrayNode();
        while (hasItem()) {
            array.add(tree());
        }
        depth--;
        return array;
    }

    private void deeper() {
        at++;
        if (++depth > DEEPEST) {
            throw new ParseException("not JSON that we read: more than %d levels".formatted(DEEPEST));
        }
    }

    private JsonNode literalTree() throws IOException {
        passLiteral();
        int number = 0;
        for (int i = from; i < to; i++) {
            int digit = window[i] - '0';
            if (digit < 0 || digit > 9 || to - from > MOST_DIGITS || (number == 0 && i > from)) {
                return Json.parseTrusted(Arrays.copyOfRange(window, from, to));
            }
            number = number * 10 + digit;
        }
        return NODES.numberNode(number);
    }

    /// The first byte of what comes next.
    private byte next() throws IOException {
        while (true) {
            while (at < end) {
                byte b = window[at];
                if (b != ',' && b != ':' && (b < 0 || b > ' ')) {
                    return b;
                }
                at++;
            }
            more(at);
        }
    }

    private void passText() throws IOException {
        from = ++at;
        escaped = false;
        int sum = 0;
        while (true) {
            byte[] bytes = window;
            int stop = end;
            int i = at;
            while (i < stop) {
                byte b = bytes[i++];
                if (b == '"') {
                    to = i - 1;
                    at = i;
                    hash = sum;
                    return;
                }
                if (b == '\\') {
                    escaped = true;
                    i++; // what is escaped does not end the text
                }
                sum = 31 * sum + b;
            }
            at = i; // one further than has come, where a backslash was the last
            more(from - 1);
            from = 1;
        }
    }

    private void passLiteral() throws IOException {
        from = at;
        while (true) {
            while (at < end) {
                byte b = window[at];
                if (b == ',' || b == '}' || b == ']' || (b >= 0 && b <= ' ')) {
                    to = at;
                    if (from == to) {
                        throw unexpected();
                    }
                    return;
                }
                at++;
            }
            more(from);
            from = 0;
        }
    }

    private String unescaped() {
        return Json.parseTrusted(Arrays.copyOfRange(window, from - 1, to + 1)).stringValue();
    }

    /// Waits for more bytes; those from `start` on stay.
    private void more(int start) throws IOException {
        int kept = end - start;
        if (kept > LONGEST_VALUE) {
            throw new ParseException("not JSON that we read: a value of more than %d bytes".formatted(LONGEST_VALUE));
        }
        byte[] room = kept > window.length / 2 ? new byte[2 * window.length] : window;
        System.arraycopy(window, start, room, 0, Math.max(0, kept));
        window = room;
        at -= start;
        end = Math.max(0, kept);
        int come = source.read(window, end, window.length - end);
        if (come < 0) {
            throw new ParseException("not JSON: it ends too early");
        }
        end += come;
    }

    private ParseException unexpected() {
        return new ParseException("not JSON: unexpected '%c'".formatted(window[at] & 0xff));
    }
}
