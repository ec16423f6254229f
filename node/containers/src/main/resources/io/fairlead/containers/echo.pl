# The program of the image fairlead/echo: tells every client who answered, and who asked.
#
#   perl echo.pl 8080/TCP 53/UDP      (without arguments: 8080/TCP and 8080/UDP)
#
# One process, one loop: connections are few bytes long, so none of them is worth a process of its own.
# HTTP on the TCP ports, one answer a connection; on the UDP ports the same lines and then the datagram.
# After SIGTERM it goes on answering for FAIRLEAD_LINGER_SECONDS (2), so that connections on their way are
# served, and then exits with 0. Needs nothing but perl-base.
use strict;
use warnings;
use Socket qw(:DEFAULT IPPROTO_IPV6 IPV6_V6ONLY getnameinfo NI_NUMERICHOST NI_NUMERICSERV);
use Errno qw(EAGAIN EINTR EWOULDBLOCK);
use Fcntl qw(F_GETFL F_SETFL O_NONBLOCK);
use POSIX ();

use constant {
    BACKLOG         => 4096,
    MAX_CONNECTIONS => 800,      # more wait in the backlog
    MAX_REQUEST     => 65536,
    READ_SECONDS    => 5,        # for the whole request
    SILENT_SECONDS  => 0.5,      # for its first byte, when others wait
    CLOSE_SECONDS   => 2,        # for the client to read the answer
};

# Seconds on a clock that no program sets.
my $ticks = POSIX::sysconf(POSIX::_SC_CLK_TCK());
sub now { return (POSIX::times())[0] / $ticks }

my $linger = $ENV{FAIRLEAD_LINGER_SECONDS} // 2;
my $stop_at;                     # set by SIGTERM
my (%listeners, %datagrams, %connections);    # by file number

$SIG{TERM} = $SIG{INT} = sub { $stop_at //= now() + $linger };
$SIG{PIPE} = 'IGNORE';
$| = 1;

sub say_line { print @_, "\n" }

# A host is named as its pod, and has the address from which it would answer, unless the manifest says otherwise by
# POD_NAME and POD_IP.
sub own_lines {
    my ($from) = @_;
    my $host = $ENV{HOSTNAME} // '';
    return join '', map { "$_->[0]: $_->[1]\n" } (
        ['hostname', $host],
        ['pod',      $ENV{POD_NAME} // $host],
        ['address',  $ENV{POD_IP}   // own_address($from)],
        ['client',   client_of($from)],
    );
}

# A datagram socket that is connected sends nothing, and knows its own address.
sub own_address {
    my ($from) = @_;
    my $probe;
    socket($probe, sockaddr_family($from), SOCK_DGRAM, 0) && connect($probe, $from) or return 'unknown';
    return client_of(getsockname $probe);
}

# An address without the port; an IPv4 client of our IPv6 socket looks like ::ffff:10.0.0.1.
sub client_of {
    my ($packed) = @_;
    my ($error, $host) = getnameinfo($packed, NI_NUMERICHOST | NI_NUMERICSERV);
    return 'unknown' if $error;
    $host =~ s/^::ffff:(?=\d+\.)//;
    return $host;
}

sub nonblocking {
    my ($socket) = @_;
    fcntl($socket, F_SETFL, fcntl($socket, F_GETFL, 0) | O_NONBLOCK) or die "fcntl: $!";
}

# One socket for both families; IPv4 alone where the kernel has no IPv6.
sub open_socket {
    my ($port, $type) = @_;
    my $socket;
    my $address;
    if (socket($socket, AF_INET6, $type, 0)) {
        setsockopt($socket, IPPROTO_IPV6, IPV6_V6ONLY, pack('i', 0)) or die "IPV6_V6ONLY: $!";
        $address = pack_sockaddr_in6($port, Socket::IN6ADDR_ANY);
    } else {
        socket($socket, AF_INET, $type, 0) or die "socket: $!";
        $address = pack_sockaddr_in($port, INADDR_ANY);
    }
    setsockopt($socket, SOL_SOCKET, SO_REUSEADDR, pack('i', 1)) or die "SO_REUSEADDR: $!";
    bind($socket, $address) or die "port $port: $!\n";
    nonblocking($socket);
    return $socket;
}

sub listen_on {
    my ($spec) = @_;
    my ($port, $protocol) = $spec =~ m{^(\d+)(?:/(TCP|UDP))?$}i
        or die "\"$spec\" is no port: write 8080/TCP or 53/UDP\n";
    if (uc($protocol // 'TCP') eq 'UDP') {
        my $socket = open_socket($port, SOCK_DGRAM);
        $datagrams{ fileno $socket } = $socket;
    } else {
        my $socket = open_socket($port, SOCK_STREAM);
        listen($socket, BACKLOG) or die "listen $port: $!";
        $listeners{ fileno $socket } = $socket;
    }
    say_line("listening on $spec");
}

sub accept_all {
    my ($listener) = @_;
    while (keys %connections < MAX_CONNECTIONS) {
        my $from = accept(my $socket, $listener) or return;
        nonblocking($socket);
        $connections{ fileno $socket } = {
            socket => $socket,
            from   => $from,
            in     => '',
            out    => undef,                    # the answer, once the request is read
            since  => now(),
            until  => now() + READ_SECONDS,
        };
    }
}

sub answer_datagrams {
    my ($socket) = @_;
    for (1 .. 64) {                             # then let the others have a turn
        my $from = recv($socket, my $data, 65535, 0);
        return unless defined $from;
        send($socket, substr(own_lines($from) . "\n" . $data, 0, 65000), 0, $from);
    }
}

sub wanted_length {
    my ($header) = @_;
    return $header =~ /^content-length:\s*(\d+)/mi ? $1 : 0;
}

# The answer if the request is whole; nothing if there is more to come.
sub answer_to {
    my ($in, $from) = @_;
    my $end = index $in, "\r\n\r\n";
    return if $end < 0;
    return if length($in) < $end + 4 + wanted_length(substr $in, 0, $end + 2);
    my ($method, $path) = $in =~ m{^([A-Z]+) (\S+) HTTP/1\.[01]\r\n};
    my $code = defined $method ? '200 OK' : '400 Bad Request';
    my $body = defined $method ? own_lines($from) . "request: $method $path\n" : "this is no HTTP request\n";
    my $head = "HTTP/1.1 $code\r\nContent-Type: text/plain\r\nContent-Length: " . length($body)
        . "\r\nConnection: close\r\n\r\n";
    return ($method // '') eq 'HEAD' ? $head : $head . $body;
}

sub hang_up {
    my ($number) = @_;
    my $connection = delete $connections{$number} or return;
    close $connection->{socket};
}

# Reads the request; and after the answer what the client still sends, because closing with unread bytes would
# reset the connection under the answer.
sub read_from {
    my ($number) = @_;
    my $connection = $connections{$number} or return;
    my $count = sysread $connection->{socket}, my $data, 16384;
    return if !defined $count && ($!{EAGAIN} || $!{EINTR} || $!{EWOULDBLOCK});
    return hang_up($number) if !$count;
    return if defined $connection->{out};
    $connection->{in} .= $data;
    return hang_up($number) if length $connection->{in} > MAX_REQUEST;
    $connection->{out} = answer_to($connection->{in}, $connection->{from}) // return;
    $connection->{until} = now() + CLOSE_SECONDS;
    write_to($number);
}

sub write_to {
    my ($number) = @_;
    my $connection = $connections{$number} or return;
    my $count = syswrite $connection->{socket}, $connection->{out};
    if (!defined $count) {
        return if $!{EAGAIN} || $!{EINTR} || $!{EWOULDBLOCK};
        return hang_up($number);
    }
    substr($connection->{out}, 0, $count) = '';
    shutdown($connection->{socket}, 1) if $connection->{out} eq '';
}

sub is_late {
    my ($connection, $full) = @_;
    return 1 if $connection->{until} < now();
    return $full && $connection->{in} eq '' && $connection->{since} + SILENT_SECONDS < now();
}

sub hang_up_late_ones {
    my $full = keys %connections >= MAX_CONNECTIONS;
    hang_up($_) for grep { is_late($connections{$_}, $full) } keys %connections;
}

sub bits {
    my $bits = '';
    vec($bits, $_, 1) = 1 for @_;
    return $bits;
}

# One turn: waits at most 0.2 s for something to do, and does it.
sub turn {
    my $room = keys %connections < MAX_CONNECTIONS;
    my @readable = (keys %datagrams, keys %connections, $room ? keys %listeners : ());
    my @writable = grep { length($connections{$_}{out} // '') } keys %connections;
    my ($in, $out) = (bits(@readable), bits(@writable));
    return if select($in, $out, undef, 0.2) <= 0;
    for my $number (grep { vec $out, $_, 1 } @writable) { write_to($number) }
    for my $number (grep { vec $in, $_, 1 } @readable) {
        if    ($listeners{$number}) { accept_all($listeners{$number}) }
        elsif ($datagrams{$number}) { answer_datagrams($datagrams{$number}) }
        else                        { read_from($number) }
    }
}

listen_on($_) for @ARGV ? @ARGV : ('8080/TCP', '8080/UDP');
until (defined $stop_at && now() >= $stop_at) {
    turn();
    hang_up_late_ones();
}
# Connections that came before the end are answered, bounded by the time a connection may take.
my $last = now() + CLOSE_SECONDS;
do {
    accept_all($_) for values %listeners;
    turn();
} while (%connections && now() < $last);
say_line('ended');
