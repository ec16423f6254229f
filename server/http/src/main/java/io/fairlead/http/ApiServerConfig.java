package io.fairlead.http;

import io.fairlead.api.Cidr;
import io.fairlead.api.IpPort;
import io.fairlead.kinds.PodSecurityPolicy;
import io.fairlead.objects.PortRange;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// What an API server has to know before it starts.
///
/// - `bind`: where it listens; port 0 means any free one.
/// - `advertised`: where pods reach the API servers; the endpoints of the Service `default/kubernetes`.
/// - `addresses`: what Services and nodes get, and may ask for.
/// - `policy`: what objects may ask for.
/// - `clientAccess`: how clients come in.
/// - `auditLog`: the file that gets a line for each write; an empty path for none.
/// - `limits`: how much it takes on at the same time.
public record ApiServerConfig(
        IpPort bind,
        List<IpPort> advertised,
        Addresses addresses,
        Policy policy,
        ClientAccess clientAccess,
        Path auditLog,
        Limits limits) {
    public static final Cidr DEFAULT_SERVICE_CIDR = Cidr.parse("10.96.0.0/16");
    public static final PortRange DEFAULT_NODE_PORTS = new PortRange(30000, 32767);

    /// - `services`: the ranges cluster addresses come from, the first of which is the default; at most one a family.
    /// - `nodePorts`: the range node ports come from.
    /// - `blocks`: what the control plane says about addresses that are not of Services.
    public record Addresses(List<Cidr> services, PortRange nodePorts, Blocks blocks) {
        public Addresses {
            services = List.copyOf(services);
            long families = services.stream().map(Cidr::family).distinct().count();
            if (services.isEmpty() || families < services.size()) {
                throw new IllegalArgumentException(
                        "service CIDRs must be one, or one of each family, but are " + services);
            }
        }
    }

    /// `pods` is where the control plane takes the blocks of nodes from; empty where nodes bring their own.
    /// `externalIps` is where external addresses of Services may be from; nothing where they may be any.
    public record Blocks(List<Cidr> pods, Optional<List<Cidr>> externalIps) {
        public static final Blocks OPEN = new Blocks(List.of(), Optional.empty());

        public Blocks {
            pods = List.copyOf(pods);
            externalIps = externalIps.map(List::copyOf);
        }
    }

    /// - `strictNames`: refuse upper-case letters in the names around a Service, as Kubernetes does (decision 035).
    /// - `podSecurity`: what pods may ask for in namespaces whose labels do not say it.
    public record Policy(boolean strictNames, PodSecurityPolicy podSecurity) {}

    public ApiServerConfig {
        advertised = List.copyOf(advertised);
    }

    /// A server at `bind` that is open to all, with everything else as usual.
    public static ApiServerConfig at(IpPort bind) {
        return new ApiServerConfig(
                bind,
                List.of(),
                new Addresses(List.of(DEFAULT_SERVICE_CIDR), DEFAULT_NODE_PORTS, Blocks.OPEN),
                new Policy(false, PodSecurityPolicy.OPEN),
                new ClientAccess.Open(),
                Path.of(""),
                Limits.DEFAULT);
    }

    List<Cidr> serviceCidrs() {
        return addresses.services;
    }

    public ApiServerConfig withServiceCidrs(List<Cidr> cidrs) {
        return withAddresses(new Addresses(cidrs, addresses.nodePorts, addresses.blocks));
    }

    public ApiServerConfig withNodePorts(PortRange range) {
        return withAddresses(new Addresses(addresses.services, range, addresses.blocks));
    }

    public ApiServerConfig withBlocks(Blocks blocks) {
        return withAddresses(new Addresses(addresses.services, addresses.nodePorts, blocks));
    }

    private ApiServerConfig withAddresses(Addresses given) {
        return new ApiServerConfig(bind, advertised, given, policy, clientAccess, auditLog, limits);
    }

    public ApiServerConfig withAdvertised(List<IpPort> servers) {
        return new ApiServerConfig(bind, servers, addresses, policy, clientAccess, auditLog, limits);
    }

    public ApiServerConfig withStrictNames(boolean strict) {
        return withPolicy(new Policy(strict, policy.podSecurity));
    }

    public ApiServerConfig withPodSecurity(PodSecurityPolicy pods) {
        return withPolicy(new Policy(policy.strictNames, pods));
    }

    private ApiServerConfig withPolicy(Policy given) {
        return new ApiServerConfig(bind, advertised, addresses, given, clientAccess, auditLog, limits);
    }

    public ApiServerConfig withClientAccess(ClientAccess how) {
        return new ApiServerConfig(bind, advertised, addresses, policy, how, auditLog, limits);
    }

    public ApiServerConfig withAuditLog(Path file) {
        return new ApiServerConfig(bind, advertised, addresses, policy, clientAccess, file, limits);
    }

    public ApiServerConfig withLimits(Limits most) {
        return new ApiServerConfig(bind, advertised, addresses, policy, clientAccess, auditLog, most);
    }

    /// Where clients within the cluster find the servers: the advertised port, or the one this server listens on.
    int servingPort() {
        return advertised.isEmpty() ? bind.port() : advertised.getFirst().port();
    }

    /// The certificate that clients have to trust, as PEM; empty where there is no TLS.
    public String certificateAuthority() {
        return switch (clientAccess) {
            case ClientAccess.Open _ -> "";
            case ClientAccess.Guarded guarded -> guarded.pki().authorityPem();
        };
    }
}
