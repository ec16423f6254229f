package io.fairlead.http;

import io.fairlead.access.AccessRequest;
import io.fairlead.access.Rbac;
import io.fairlead.access.User;
import io.fairlead.objects.StatusException;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// A request sent for another user (`kubectl --as`): the sender needs the verb `impersonate` on all that he pretends.
record Impersonation(User sender, Rbac rights) {
    private static final String USER = "impersonate-user";
    private static final String GROUP = "impersonate-group";
    private static final String UID = "impersonate-uid";
    private static final String EXTRA = "impersonate-extra-";
    private static final String ACCOUNT = "system:serviceaccount:";

    User user(ApiRequest request) {
        Map<String, String> headers = request.headers();
        String name = headers.getOrDefault(USER, "");
        if (name.isEmpty()) {
            if (headers.keySet().stream().anyMatch(header -> header.startsWith("impersonate-"))) {
                throw StatusException.badRequest("impersonation needs the header Impersonate-User");
            }
            return sender;
        }
        if (headers.containsKey(UID) || headers.keySet().stream().anyMatch(header -> header.startsWith(EXTRA))) {
            throw StatusException.badRequest("only users and groups can be impersonated here");
        }
        Set<String> groups = new LinkedHashSet<>(groups(headers));
        checkUser(name);
        groups.forEach(group -> check("groups", "", group));
        groups.addAll(groupsOfAccount(name));
        return name.equals(User.ANONYMOUS.name()) ? User.ANONYMOUS : User.authenticated(name, "", groups);
    }

    private static List<String> groups(Map<String, String> headers) {
        return Arrays.stream(headers.getOrDefault(GROUP, "").split(",", -1))
                .map(String::strip)
                .filter(group -> !group.isEmpty())
                .toList();
    }

    private void checkUser(String name) {
        List<String> account = account(name);
        if (account.isEmpty()) {
            check("users", "", name);
        } else {
            check("serviceaccounts", account.getFirst(), account.getLast());
        }
    }

    /// The namespace and the name of a ServiceAccount; nothing for other users.
    private static List<String> account(String name) {
        List<String> parts = name.startsWith(ACCOUNT)
                ? List.of(name.substring(ACCOUNT.length()).split(":", -1))
                : List.of();
        return parts.size() == 2 ? parts : List.of();
    }

    private static List<String> groupsOfAccount(String name) {
        List<String> account = account(name);
        return account.isEmpty()
                ? List.of()
                : List.of("system:serviceaccounts", "system:serviceaccounts:" + account.getFirst());
    }

    private void check(String resource, String namespace, String name) {
        AccessRequest wanted =
                new AccessRequest(sender, "impersonate", new AccessRequest.Resource("", resource, "", namespace, name));
        if (!rights.allows(wanted)) {
            throw StatusException.refused(wanted);
        }
    }
}
