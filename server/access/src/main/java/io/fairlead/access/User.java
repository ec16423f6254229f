package io.fairlead.access;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// Who sent a request; `extra` holds what else a token says of its bearer.
public record User(String name, String uid, Set<String> groups, Map<String, List<String>> extra) {
    public static final String MASTERS = "system:masters";
    public static final String AUTHENTICATED = "system:authenticated";
    public static final String NODES = "system:nodes";

    static final String UNAUTHENTICATED = "system:unauthenticated";
    static final String NODE_PREFIX = "system:node:";
    static final String SERVICE_ACCOUNT_PREFIX = "system:serviceaccount:";
    static final String SERVICE_ACCOUNTS = "system:serviceaccounts";

    /// A client that did not say who it is.
    public static final User ANONYMOUS = new User("system:anonymous", "", Set.of(UNAUTHENTICATED), Map.of());

    public User {
        groups = Set.copyOf(groups);
        extra = Map.copyOf(extra);
    }

    /// A user who proved who he is: one group more says so.
    public static User authenticated(String name, String uid, Set<String> groups) {
        Set<String> all = new TreeSet<>(groups);
        all.add(AUTHENTICATED);
        return new User(name, uid, all, Map.of());
    }

    public static User of(Subject subject) {
        return authenticated(subject.name(), "", subject.groups());
    }

    /// May do everything, whatever the roles say.
    public boolean isMaster() {
        return groups.contains(MASTERS);
    }

    /// An administrator, a node, or one of the cluster's own programs: never a service account.
    public boolean isOfCluster() {
        boolean program = groups.contains(AUTHENTICATED)
                && !name.startsWith(SERVICE_ACCOUNT_PREFIX)
                && (name.startsWith("system:") || name.startsWith("fairlead:"));
        return isMaster() || groups.contains(NODES) || program;
    }

    /// The node whose agent this is.
    public Optional<String> findNode() {
        return groups.contains(NODES) && name.startsWith(NODE_PREFIX) && name.length() > NODE_PREFIX.length()
                ? Optional.of(name.substring(NODE_PREFIX.length()))
                : Optional.empty();
    }

    /// True if it says that it is a node, but not which: then it is none, and gets nothing by that group.
    public boolean isNamelessNode() {
        return groups.contains(NODES) && findNode().isEmpty() && !isMaster();
    }

    User with(Map<String, List<String>> more) {
        return new User(name, uid, groups, more);
    }
}
