package io.fairlead.http;

import io.fairlead.access.AccessRequest;
import io.fairlead.access.User;
import io.fairlead.api.Kind;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A request in the words of RBAC.
final class RequestAttributes {
    private static final Pattern ONE_NAME = Pattern.compile("(?:^|,)\\s*metadata\\.name==?([^,=!]+)");

    private RequestAttributes() {}

    static AccessRequest of(User user, ApiRequest request) {
        Optional<ApiPath> path = request.target();
        if (path.isPresent()) {
            return new AccessRequest(user, verb(path.get(), request), resource(path.get(), request));
        }
        return ReviewPath.find(request.path())
                .map(review -> new AccessRequest(user, verb(request.method()), review.resource()))
                .orElseGet(
                        () -> new AccessRequest(user, verb(request.method()), new AccessRequest.Path(request.path())));
    }

    /// `get`, `list`, `create`…: what is written to the audit log and counted.
    static String verb(ApiPath path, ApiRequest request) {
        boolean all = path.isCollection();
        return switch (request.method()) {
            case "GET" -> request.isWatch() ? "watch" : all ? "list" : "get";
            case "POST" -> "create";
            case "PUT" -> "update";
            case "DELETE" -> all ? "deletecollection" : "delete";
            default -> verb(request.method());
        };
    }

    private static String verb(String method) {
        return method.equals("POST") ? "create" : method.toLowerCase(Locale.ROOT);
    }

    private static AccessRequest.Resource resource(ApiPath path, ApiRequest request) {
        Kind kind = path.face().served();
        // Who may do something in a namespace may do it with the namespace itself, too.
        String namespace = kind.equals(Kind.NAMESPACE) ? path.name() : path.namespace();
        return new AccessRequest.Resource(
                kind.group(),
                kind.plural(),
                path.subresource(),
                namespace,
                path.isCollection() ? name(request) : path.name());
    }

    /// A list or a watch of one object by its name is a request for that object.
    private static String name(ApiRequest request) {
        String selector = request.query("fieldSelector");
        if (selector.isEmpty() || request.method().equals("POST")) {
            return "";
        }
        Matcher one = ONE_NAME.matcher(selector);
        return one.find() ? one.group(1).strip() : "";
    }
}
