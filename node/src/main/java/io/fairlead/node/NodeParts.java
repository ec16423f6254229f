package io.fairlead.node;

import io.fairlead.client.ApiClient;

/// What all pods of a node share.
record NodeParts(
        NodeConfig config,
        ApiClient api,
        StateFolder state,
        AddressBook addresses,
        PodNetwork network,
        ImageTable images) {}
