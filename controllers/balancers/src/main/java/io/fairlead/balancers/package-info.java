/// Addresses for Services of type LoadBalancer, out of pools, without a cloud. Pure.
///
/// ```
///  AddressPools + Services ─► LoadBalancerPlan ─► AddressClaims (a Lease an address) ─► status.loadBalancer.ingress
/// ```
@NullMarked
package io.fairlead.balancers;

import org.jspecify.annotations.NullMarked;
