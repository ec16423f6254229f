package io.fairlead.http;

import io.fairlead.api.Cidr;
import io.fairlead.api.IpPort;
import io.fairlead.kinds.PodSecurityPolicy;
import io.fairlead.objects.PortRange;
import java.nio.file.Path;
import java.util.List;

/// What an API server has to know before it starts.
///
/// - `bind`: where it listens; port 0 means any free one.
/// - `serviceCidrs`: the ranges cluster addresses come from, the first of which is the default; at most one a family.
/// - `nodePorts`: the range node ports come from.
/// - `advertised`: where pods reach the API servers; the endpoints of the Service `default/kubernetes`.
/// - `strictNames`: refuse upper-case letters in the names around a Service, as Kubernetes does (decision 035).
/// - `clientAccess`: how clients come in.
/// - `auditLog`: the file that gets a line for each write; an empty path for none.
/// - `podSecurity`: what pods may ask for in namespaces whose labels do not say it.
/// - `limits`: how much it takes on at the same time.
public record ApiServerConfig(
        IpPort bind,
        List<Cidr> serviceCidrs,
        PortRange nodePorts,
        List<IpPort> advertised,
        boolean strictNames,
        ClientAccess clientAccess,
        Path auditLog,
        PodSecurityPolicy podSecurity,
        Limits limits) {
    public static final Cidr DEFAULT_SERVICE_CIDR = Cidr.parse("10.96.0.0/16");
    public static final PortRange DEFAULT_NODE_PORTS = new PortRange(30000, 32767);

    public ApiServerConfig {
        serviceCidrs = List.copyOf(serviceCidrs);
        advertised = List.copyOf(advertised);
        long families = serviceCidrs.stream().map(Cidr::family).distinct().count();
        if (serviceCidrs.isEmpty() || families < serviceCidrs.size()) {
            throw new IllegalArgumentException(
                    "service CIDRs must be one, or one of each family, but are " + serviceCidrs);
        }
    }

    /// A server at `bind` that is open to all, with everything else as usual.
    public static ApiServerConfig at(IpPort bind) {
        return new ApiServerConfig(
                bind,
                List.of(DEFAULT_SERVICE_CIDR),
                DEFAULT_NODE_PORTS,
                List.of(),
                false,
                new ClientAccess.Open(),
                Path.of(""),
                PodSecurityPolicy.OPEN,
                Limits.DEFAULT);
    }

    public ApiServerConfig withServiceCidrs(List<Cidr> cidrs) {
        return new ApiServerConfig(
                bind, cidrs, nodePorts, advertised, strictNames, clientAccess, auditLog, podSecurity, limits);
    }

    public ApiServerConfig withNodePorts(PortRange range) {
        return new ApiServerConfig(
                bind, serviceCidrs, range, advertised, strictNames, clientAccess, auditLog, podSecurity, limits);
    }

    public ApiServerConfig withAdvertised(List<IpPort> addresses) {
        return new ApiServerConfig(
                bind, serviceCidrs, nodePorts, addresses, strictNames, clientAccess, auditLog, podSecurity, limits);
    }

    public ApiServerConfig withStrictNames(boolean strict) {
        return new ApiServerConfig(
                bind, serviceCidrs, nodePorts, advertised, strict, clientAccess, auditLog, podSecurity, limits);
    }

    public ApiServerConfig withClientAccess(ClientAccess how) {
        return new ApiServerConfig(
                bind, serviceCidrs, nodePorts, advertised, strictNames, how, auditLog, podSecurity, limits);
    }

    public ApiServerConfig withAuditLog(Path file) {
        return new ApiServerConfig(
                bind, serviceCidrs, nodePorts, advertised, strictNames, clientAccess, file, podSecurity, limits);
    }

    public ApiServerConfig withPodSecurity(PodSecurityPolicy policy) {
        return new ApiServerConfig(
                bind, serviceCidrs, nodePorts, advertised, strictNames, clientAccess, auditLog, policy, limits);
    }

    public ApiServerConfig withLimits(Limits most) {
        return new ApiServerConfig(
                bind, serviceCidrs, nodePorts, advertised, strictNames, clientAccess, auditLog, podSecurity, most);
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
