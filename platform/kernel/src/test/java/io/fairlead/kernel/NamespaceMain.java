package io.fairlead.kernel;

/// Makes a namespace, lets `ip netns` make another, and removes the first: fails if its name stays.
final class NamespaceMain {
    private NamespaceMain() {}

    public static void main(String[] names) throws Exception {
        NetworkNamespace ours = NetworkNamespace.create(names[0]);
        for (String verb : new String[] {"add", "delete"}) {
            Process ip = new ProcessBuilder("ip", "netns", verb, names[1])
                    .inheritIO()
                    .start();
            if (ip.waitFor() != 0) {
                throw new IllegalStateException("ip netns " + verb + " failed");
            }
        }
        ours.delete();
        if (NetworkNamespace.find(names[0]).isPresent()) {
            throw new IllegalStateException(names[0] + " is still there");
        }
    }
}
