package io.fairlead.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

/// What kubectl does with single pods on a real cluster: look at them, end them, give them to a controller.
interface PodsInHand {
    Workbench bench();

    @BesideOthers
    default void a_deleted_pod_has_the_grace_it_needs_and_no_more() throws Exception {
        bench().runScript("patient", looping("trap 'echo asked; sleep 1; echo finished; exit 0' TERM"));
        bench().runScript("stubborn", looping("trap 'echo no' TERM"));
        for (String pod : List.of("patient", "stubborn")) {
            bench().run("wait --for=condition=Ready --timeout=90s pod/" + pod);
        }
        try (Session patient = bench().kubectl().start("logs -f patient");
                Session stubborn = bench().kubectl().start("logs -f stubborn");
                Session first = bench().kubectl().start("delete pod patient --grace-period=60");
                Session second = bench().kubectl().start("delete pod stubborn --grace-period=2")) {
            assertThat(first.awaitEnd()).contains("pod \"patient\" deleted");
            assertThat(second.awaitEnd()).contains("pod \"stubborn\" deleted");
            assertThat(patient.awaitEnd()).isEqualTo("here\nasked\nfinished\n");
            assertThat(stubborn.awaitEnd()).isEqualTo("here\nno\n");
        }
        assertThat(bench().run("get pods --ignore-not-found patient stubborn")).isEmpty();
    }

    private static String looping(String trap) {
        return trap + "; echo here; while :; do sleep 0.1; done";
    }

    @BesideOthers
    default void pods_services_and_nodes_are_described() throws Exception {
        assertThat(blanksOnce(bench().run("describe pod client-node-2")))
                .contains(
                        "Name: client-node-2\n",
                        "Node: node-2/" + bench().cluster().nodeIps().get(1) + "\n",
                        "Status: Running\n",
                        "IP: 10.244.2.",
                        "Image: fairlead/pause\n",
                        "State: Running\n",
                        "Restart Count: 0\n",
                        "Ready True");
        assertThat(bench().run("logs client-node-2")).as("it has said nothing").isEmpty();
        assertThat(blanksOnce(bench().run("describe service hello")))
                .contains("Selector: app=hello\n", "Type: NodePort\n", "TargetPort: http/TCP\n", "Endpoints: 10.244.");
        assertThat(blanksOnce(bench().run("describe node node-2")))
                .contains(
                        "Name: node-2\n",
                        "PodCIDR: 10.244.2.0/24\n",
                        "PodCIDRs: 10.244.2.0/24,fd00:244:2::/64\n",
                        "HolderIdentity: node-2\n",
                        "Unschedulable: false\n",
                        "Ready True",
                        "InternalIP: 10.210.0.12\n",
                        "Kernel Version: ",
                        "default client-node-2 ");
    }

    private static String blanksOnce(String text) {
        return text.replaceAll("[ \t]+", " ").replaceAll("(?m)^ ", "");
    }

    @BesideOthers
    default void a_replica_set_adopts_pods_without_an_owner_that_have_its_labels() throws Exception {
        bench().run("run early --image=fairlead/pause --labels=app=found");
        bench().run("run late --image=fairlead/pause --labels=app=nobody");
        bench().create(FINDER);
        Workbench.soon(() -> assertThat(owner("early")).isEqualTo("finder"));
        Workbench.soon(() -> assertThat(bench().podNames("found")).hasSize(2).contains("early"));

        bench().run("label pod late app=found --overwrite");
        Workbench.soon(() -> assertThat(bench().podNames("found"))
                .as("the third one was one too many")
                .hasSize(2)
                .allSatisfy(pod -> assertThat(owner(pod)).isEqualTo("finder")));
        bench().run("delete replicaset finder");
    }

    private String owner(String pod) throws Exception {
        return bench().field("pod " + pod, ".metadata.ownerReferences[0].name");
    }

    String FINDER = """
        apiVersion: apps/v1
        kind: ReplicaSet
        metadata: {name: finder}
        spec:
          replicas: 2
          selector: {matchLabels: {app: found}}
          template:
            metadata: {labels: {app: found}}
            spec: {containers: [{name: main, image: fairlead/pause}]}
        """;
}
