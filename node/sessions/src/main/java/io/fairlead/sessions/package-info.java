/// How clients reach into the pods of a node: logs, exec, attach, port-forward.
///
/// ```
///  kubectl ─► API server ──mutual TLS──► SessionServer ─► SessionRequest ─┬─► LogReader       files of containers
///             (who may?)                 (only the API                    ├─► CommandSession  a process in namespaces
///                                         server comes in)                ├─► AttachSession   its terminal
///                                                                         └─► PortForward     a socket in the pod
/// ```
///
/// What it needs to know of pods it asks [Pods]; the node agent answers.
@NullMarked
package io.fairlead.sessions;

import org.jspecify.annotations.NullMarked;
