# Holds the standard streams of a program, so that clients can come and go while it runs.
#
#   perl terminal.pl [--tty] [--socket PATH [--once]] -- COMMAND...
#
# Without --socket its own stdin brings frames for the program, and its own stdout and stderr are what the program
# prints: that is `exec`. With --socket it is the first process of a container: what the program prints goes to its
# stdout and stderr, which are the container's log, and to every client that is attached at PATH; what clients send
# goes to the program. With --once the program's input ends with the first client that sends its end.
#
# A frame is a letter, a length (32 bits, big-endian) and as many bytes:
#   to the program:   i input   c end of the input   w "COLUMNS ROWS" of the client's terminal
#   to a client:      o what it printed to stdout    e to stderr
#
# It ends with the program, and as it did. SIGTERM and other signals go on to the program. Needs perl-base alone.
use strict;
use warnings;
use Errno qw(EINTR EAGAIN);
use Fcntl qw(F_GETFL F_SETFL O_NONBLOCK O_NOCTTY O_RDWR);
use POSIX ();
use Socket;

use constant {
    BLOCK      => 16384,
    MOST_FRAME => 4 << 20,
    MOST_UNSENT => 1 << 20,    # a client that is so far behind is dropped: the program must not wait for it
    TIOCGPTN   => 0x80045430,
    TIOCSPTLCK => 0x40045431,
    TIOCSCTTY  => 0x540e,
    TIOCSWINSZ => 0x5414,
};

my ($tty, $path, $once);
while (@ARGV) {
    my $word = shift @ARGV;
    last if $word eq '--';
    if    ($word eq '--tty')    { $tty  = 1 }
    elsif ($word eq '--once')   { $once = 1 }
    elsif ($word eq '--socket') { $path = shift @ARGV }
    else                        { die "terminal: what is $word?\n" }
}
@ARGV or die "terminal: no command\n";
$SIG{PIPE} = 'IGNORE';

my ($master, $to_child, %outputs);    # %outputs: letter => handle that the program prints to
my $child = $tty ? start_on_terminal() : start_on_pipes();
for my $signal (qw(TERM INT HUP USR1 USR2 QUIT)) { $SIG{$signal} = sub { kill $signal => $child } }

my ($over, $ending);                  # the program has ended, and how
$SIG{CHLD} = sub { };                 # wakes the loop, which looks for itself

my (%clients, $listener);             # %clients: file number => { handle, in, out }
my $unwritten = '';                   # input that the program has not taken yet
my $input_ends = 0;
if (defined $path) { $listener = listen_at($path) }
else               { $clients{0} = { handle => \*STDIN, in => '', out => '' } }

serve();
write_all($_->{handle}, $_->{out}, 500) for grep { length $_->{out} } values %clients;
unlink $path if defined $path;
waitpid $child, 0 if !$over;
$? = $ending if $over;
if ($? & 127) { $SIG{$_} = 'DEFAULT' for keys %SIG; exit 128 + ($? & 127) }
exit $? >> 8;

sub start_on_terminal {
    sysopen $master, '/dev/ptmx', O_RDWR | O_NOCTTY or die "terminal: /dev/ptmx: $!\n";
    my $number = pack 'i', 0;
    ioctl $master, TIOCSPTLCK, $number or die "terminal: unlock: $!\n";
    ioctl $master, TIOCGPTN, $number or die "terminal: number: $!\n";
    my $name = '/dev/pts/' . unpack 'i', $number;
    my $pid = fork // die "terminal: fork: $!\n";
    if (!$pid) {
        POSIX::setsid();
        sysopen my $slave, $name, O_RDWR or die "terminal: $name: $!\n";
        my $zero = 0;
        ioctl $slave, TIOCSCTTY, $zero;
        POSIX::dup2(fileno $slave, $_) for 0 .. 2;
        close $slave if fileno $slave > 2;
        run();
    }
    ($to_child, %outputs) = ($master, o => $master);
    return $pid;
}

sub start_on_pipes {
    pipe my $in_read, my $in_write or die "terminal: pipe: $!\n";
    pipe my $out_read, my $out_write or die "terminal: pipe: $!\n";
    pipe my $err_read, my $err_write or die "terminal: pipe: $!\n";
    my $pid = fork // die "terminal: fork: $!\n";
    if (!$pid) {
        POSIX::dup2(fileno $in_read, 0);
        POSIX::dup2(fileno $out_write, 1);
        POSIX::dup2(fileno $err_write, 2);
        run();
    }
    close $_ for $in_read, $out_write, $err_write;
    ($to_child, %outputs) = ($in_write, o => $out_read, e => $err_read);
    return $pid;
}

sub run {
    no warnings 'exec';
    exec { $ARGV[0] } @ARGV;
    print STDERR "$ARGV[0]: $!\n";
    POSIX::_exit($! == Errno::ENOENT ? 127 : 126);
}

sub listen_at {
    my ($where) = @_;
    unlink $where;
    socket my $socket, PF_UNIX, SOCK_STREAM, 0 or die "terminal: socket: $!\n";
    umask 0077;
    bind $socket, pack_sockaddr_un($where) or die "terminal: $where: $!\n";
    listen $socket, 16 or die "terminal: listen: $!\n";
    nonblocking($socket);
    return $socket;
}

sub nonblocking {
    my ($handle) = @_;
    fcntl $handle, F_SETFL, fcntl($handle, F_GETFL, 0) | O_NONBLOCK or die "terminal: fcntl: $!\n";
}

# Until the program has ended, and what it had printed is told: what it leaves behind may hold its outputs open for long.
sub serve {
    nonblocking($_) for $to_child, values %outputs;
    while (%outputs) {
        my ($reads, $writes) = ('', '');
        vec($reads, fileno $_, 1) = 1 for values %outputs;
        vec($reads, fileno $listener, 1) = 1 if $listener;
        if (length $unwritten < BLOCK) {
            vec($reads, fileno $_->{handle}, 1) = 1 for values %clients;
        }
        vec($writes, fileno $to_child, 1) = 1 if $to_child && length $unwritten;
        for (values %clients) { vec($writes, fileno $_->{handle}, 1) = 1 if length $_->{out} }
        if (!$over && waitpid($child, POSIX::WNOHANG()) == $child) { ($over, $ending) = (1, $?) }
        my $found = select $reads, $writes, undef, $over ? 0 : 1;
        last if $over && $found == 0;
        next if $found < 1;
        take_input()  if $to_child && vec $writes, fileno $to_child, 1;
        accept_one()  if $listener && vec $reads,  fileno $listener, 1;
        for my $number (keys %clients) {
            send_to($number)   if $clients{$number} && vec $writes, $number, 1;
            hear_from($number) if $clients{$number} && vec $reads,  $number, 1;
        }
        for my $letter (keys %outputs) {
            print_from($letter) if vec $reads, fileno $outputs{$letter}, 1;
        }
    }
}

sub print_from {
    my ($letter) = @_;
    my $count = sysread $outputs{$letter}, my $bytes, BLOCK;
    return if !defined $count && ($! == EINTR || $! == EAGAIN);
    if (!$count) {                    # a terminal that everybody left is an error to read
        delete $outputs{$letter};
        return;
    }
    write_all($letter eq 'e' ? \*STDERR : \*STDOUT, $bytes);
    return if !$listener;
    for my $number (keys %clients) {
        $clients{$number}{out} .= pack('a N/a', $letter, $bytes);
        delete $clients{$number} if length $clients{$number}{out} > MOST_UNSENT;
    }
}

sub write_all {
    my ($handle, $bytes, $patience) = @_;
    $patience //= ~0;
    while (length $bytes && $patience-- > 0) {
        my $count = syswrite $handle, $bytes;
        if    (defined $count)   { substr $bytes, 0, $count, '' }
        elsif ($! == EAGAIN)     { select undef, undef, undef, 0.01 }
        elsif ($! != EINTR)      { return }
    }
}

sub accept_one {
    accept my $client, $listener or return;
    nonblocking($client);
    $clients{ fileno $client } = { handle => $client, in => '', out => '' };
}

sub send_to {
    my ($number) = @_;
    my $client = $clients{$number};
    my $count = syswrite $client->{handle}, $client->{out};
    if    (defined $count)                    { substr $client->{out}, 0, $count, '' }
    elsif ($! != EAGAIN && $! != EINTR)       { delete $clients{$number} }
}

sub hear_from {
    my ($number) = @_;
    my $client = $clients{$number};
    my $count = sysread $client->{handle}, $client->{in}, BLOCK, length $client->{in};
    return if !defined $count && ($! == EAGAIN || $! == EINTR);
    if (!$count) {
        delete $clients{$number};
        end_input() if !$listener;
        return;
    }
    while (length $client->{in} >= 5) {
        my ($letter, $length) = unpack 'a N', $client->{in};
        if ($length > MOST_FRAME) { delete $clients{$number}; return }
        last if length $client->{in} < 5 + $length;
        obey($letter, substr $client->{in}, 5, $length);
        substr $client->{in}, 0, 5 + $length, '';
    }
}

sub obey {
    my ($letter, $bytes) = @_;
    if ($letter eq 'i') {
        $unwritten .= $bytes if $to_child && !$input_ends;
    } elsif ($letter eq 'c') {
        end_input() if !$listener || $once;
    } elsif ($letter eq 'w' && $master && $bytes =~ /^(\d+) (\d+)$/) {
        my $size = pack 'S4', $2, $1, 0, 0;
        ioctl $master, TIOCSWINSZ, $size;
    }
}

# A terminal goes on without the client: only the character for it would end its input, and nobody typed that.
sub end_input {
    return if $input_ends || $tty;
    $input_ends = 1;
    take_input();
}

sub take_input {
    return if !$to_child;
    if (length $unwritten) {
        my $count = syswrite $to_child, $unwritten;
        if (defined $count)                 { substr $unwritten, 0, $count, '' }
        elsif ($! != EAGAIN && $! != EINTR) { $unwritten = ''; $input_ends = 1 if !$tty }
    }
    if ($input_ends && !length $unwritten) {
        close $to_child;
        undef $to_child;
    }
}
