package io.fairlead.routes;

import io.fairlead.api.Cidr;
import io.fairlead.api.Ip;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Stream;

/// What the value of an option may be, in words and as a reader; a value is a Boolean, Long, String or list of
/// Strings.
record Grammar(String words, Function<String, Optional<Object>> reader) {
    private static final int LONGEST = 4096;
    private static final String NAME = "[a-z0-9]([-a-z0-9.]*[a-z0-9])?";

    static final Grammar FLAG = new Grammar("`true` or `false`", text -> switch (text) {
        case "true" -> Optional.of(true);
        case "false" -> Optional.of(false);
        default -> Optional.empty();
    });
    static final Grammar SIZE = matching("a size: digits, then nothing, k, m or g", "[0-9]{1,9}[kKmMgG]?");
    static final Grammar SECONDS = number(1, 86_400);
    static final Grammar HEADER = matching("the name of a header", "[A-Za-z0-9_-]{1,128}");
    static final Grammar HEADERS = list("names of headers, with commas", "[A-Za-z0-9_-]{1,128}|\\*");
    static final Grammar TOKEN = matching("letters, digits, `_`, `-` and `.`", "[A-Za-z0-9_.-]{1,128}");
    static final Grammar VALUE = matching("printable text without quotes or line ends", "[ !#-&(-\\[\\]-~]{1,1024}");
    static final Grammar REFERENCE = matching("`name` or `namespace/name`", "(" + NAME + "/)?" + NAME);
    static final Grammar HOST_PORT = matching("a host, perhaps with a port", "[A-Za-z0-9.-]{1,253}(:[0-9]{1,5})?");
    static final Grammar PATH = matching("an absolute path of printable characters", "/[!#-&(-\\[\\]-~]{0,1024}");
    static final Grammar URL =
            matching("`http://…` or `https://…`", "https?://[A-Za-z0-9.:-]{1,259}(/[!#%-&(-\\[\\]-~]{0,1024})?");
    static final Grammar LOCATION = matching(
            "`http://…`, `https://…` or an absolute path",
            "(https?://[A-Za-z0-9.:-]{1,259})?(/[!#-&(-\\[\\]-~]{0,1024})?");
    static final Grammar METHODS = list("methods, with commas", "[A-Z]{1,16}|\\*");
    static final Grammar ORIGINS = list(
            "origins, with commas: `*`, or `https://*.example.com`",
            "\\*|[a-z][a-z0-9+.-]{0,15}://(\\*\\.)?[A-Za-z0-9.-]{1,253}(:[0-9]{1,5})?");
    static final Grammar HOSTS = list("host names, with commas", "(\\*\\.)?" + NAME);
    static final Grammar CODES = list("codes from 400 to 599, with commas", "[45][0-9][0-9]");
    static final Grammar RANGES = new Grammar("addresses or ranges, with commas", Grammar::ranges);
    static final Grammar PATTERN = new Grammar("a regular expression", Grammar::pattern);

    /// Texts and variables of the request: what an even choice among endpoints is made by.
    static final Grammar HASH_KEY = matching(
            "text with `$request_uri`, `$uri`, `$host`, `$remote_addr`, `$args`, `$arg_NAME`, `$cookie_NAME`, `$http_NAME`",
            "([A-Za-z0-9_:/.-]|\\$(request_uri|uri|host|remote_addr|binary_remote_addr|args|(arg|cookie|http)_[a-z0-9_]+))+");

    static Grammar matching(String words, String pattern) {
        Pattern compiled = Pattern.compile(pattern);
        return new Grammar(words, text -> compiled.matcher(text).matches() ? Optional.of(text) : Optional.empty());
    }

    static Grammar oneOf(String... choices) {
        List<String> all = List.of(choices);
        return new Grammar(
                "one of `" + String.join("`, `", all) + "`",
                text -> all.contains(text) ? Optional.of(text) : Optional.empty());
    }

    /// Words of a list, with spaces between them.
    static Grammar wordsOf(String... choices) {
        List<String> all = List.of(choices);
        return new Grammar("words of `" + String.join("`, `", all) + "`, with spaces", text -> {
            List<String> words = Stream.of(text.trim().split("[ ,]+")).toList();
            return all.containsAll(words) ? Optional.of(words) : Optional.empty();
        });
    }

    static Grammar number(long least, long most) {
        return new Grammar("a number from %d to %d".formatted(least, most), text -> {
            if (!text.matches("[0-9]{1,10}")) {
                return Optional.empty();
            }
            long number = Long.parseLong(text);
            return number < least || number > most ? Optional.empty() : Optional.of(number);
        });
    }

    private static Grammar list(String words, String item) {
        Pattern compiled = Pattern.compile(item);
        return new Grammar(words, text -> {
            List<String> items = items(text);
            boolean good = !items.isEmpty()
                    && items.stream().allMatch(one -> compiled.matcher(one).matches());
            return good ? Optional.of(items) : Optional.empty();
        });
    }

    private static List<String> items(String text) {
        return Stream.of(text.split(",", -1))
                .map(String::trim)
                .filter(item -> !item.isEmpty())
                .toList();
    }

    private static Optional<Object> ranges(String text) {
        List<String> ranges = new ArrayList<>();
        for (String item : items(text)) {
            Optional<Cidr> range = Ip.find(item).isPresent()
                    ? Optional.of(Cidr.parse(item + (item.contains(":") ? "/128" : "/32")))
                    : Cidr.find(item);
            if (range.isEmpty()) {
                return Optional.empty();
            }
            ranges.add(range.get().toString());
        }
        return ranges.isEmpty() ? Optional.empty() : Optional.of(List.copyOf(ranges));
    }

    private static Optional<Object> pattern(String text) {
        if (text.length() > 512 || text.chars().anyMatch(c -> c < ' ' || c > '~')) {
            return Optional.empty();
        }
        try {
            return Optional.of(Pattern.compile(text).pattern());
        } catch (PatternSyntaxException _) {
            return Optional.empty();
        }
    }

    /// The value that a text spells; nothing where it spells none.
    Optional<Object> read(String text) {
        return text.length() > LONGEST ? Optional.empty() : reader.apply(text.trim());
    }

    /// The same, whatever the letters' case.
    Grammar anyCase() {
        return new Grammar(words, text -> reader.apply(text.toUpperCase(Locale.ROOT)));
    }
}
