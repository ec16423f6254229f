package io.fairlead.api;

/// What the API server and the agents of nodes agree on, so that the one can call the others.
public final class AgentDoor {
    /// Where an agent listens, unless its Node says otherwise.
    public static final int PORT = 10250;

    /// The name in the certificate of the API server when it calls an agent: no other may come in.
    public static final String CALLER = "system:apiserver";

    /// What stands before the name of a node in the certificate of its agent.
    public static final String AGENT_PREFIX = "system:node:";

    /// The header that names the user for whom the API server calls, as a query string would have it: an agent shares
    /// its places between users.
    public static final String USER_HEADER = "Fairlead-User";

    private AgentDoor() {}
}
