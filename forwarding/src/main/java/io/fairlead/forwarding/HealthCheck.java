package io.fairlead.forwarding;

import io.fairlead.api.NamespacedName;

/// What a load balancer in front of the cluster asks this node: at `port`, whether it has pods of a Service.
///
/// @param localEndpoints how many ready pods the node has, counted by address
public record HealthCheck(NamespacedName service, int port, int localEndpoints) {}
