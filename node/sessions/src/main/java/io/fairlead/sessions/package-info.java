/// How clients reach into the pods of a node: logs, exec, attach, port-forward.
///
/// ```
///  kubectl ─► API server ──mutual TLS──► SessionServer ─► SessionRequest ─┬─► LogReader      the files that containers
/// wrote
///             (who may?)                 (only the API          ├─► CommandSession a process in the container's
/// namespaces
///                                         server comes in)      ├─► AttachSession  the terminal of the container
/// itself
///                                                               └─► PortForward    a socket made in the pod's
/// namespace
/// ```
///
/// What it needs to know of pods it asks [Pods]; the node agent answers.
@NullMarked
package io.fairlead.sessions;

import org.jspecify.annotations.NullMarked;
