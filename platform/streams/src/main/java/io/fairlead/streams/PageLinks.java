package io.fairlead.streams;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Links in pages and redirects of a program behind a proxy: those that begin at the root, or name the program itself,
/// lead through the proxy; all others stay as they are. Pure.
///
/// @param prefix the path of the proxy under which the program's root is
/// @param host   how the program was addressed
public record PageLinks(String prefix, String host) {
    private static final Pattern LINK = Pattern.compile("(?i)(\\b(?:href|src|action|formaction|data|background|cite"
            + "|longdesc|poster|icon|codebase|classid|manifest|profile|usemap)\\s*=\\s*[\"'])([^\"'<>\\s]*)");
    /// RFC 3986, appendix B: scheme, authority, path, and the rest.
    private static final Pattern PARTS = Pattern.compile("(?:([^:/?#]+):)?(?://([^/?#]*))?([^?#]*)(.*)");

    /// A page with its links led through the proxy.
    public String page(String text) {
        return LINK.matcher(text).replaceAll(link -> Matcher.quoteReplacement(link.group(1) + led(link.group(2))));
    }

    /// The head of an answer with its redirect led through the proxy.
    public HttpHead redirect(HttpHead head) {
        String location = head.header("Location");
        return location.isEmpty() ? head : head.without("Location").with("Location", led(location));
    }

    private String led(String link) {
        Matcher parts = PARTS.matcher(link);
        if (!parts.matches()) {
            return link; // of a kind that we do not understand
        }
        String authority = parts.group(2);
        String path = parts.group(3);
        boolean elsewhere = authority != null && !authority.equals(host);
        return elsewhere || !path.startsWith("/") || path.startsWith(prefix + "/")
                ? link
                : prefix + path + parts.group(4);
    }
}
