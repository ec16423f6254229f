# Keeps a program: holds its standard streams, so that clients can come and go while it runs, and knows how it ended.
#
#   perl keeper.pl [--tty | --console PATH] [--pid-file FILE --log FILE] [--socket PATH [--once]]
#                  [--exit FILE --out FILE --err FILE] [--group FILE] -- COMMAND...
#
# Without --socket and --exit its own stdin brings frames for the program, and its own stdout and stderr are what the
# program prints: that is `exec`. With --socket what clients send goes to the program, and what it prints also goes to
# every client that is attached at PATH. With --once the program's input ends with the first client that sends its end.
#
# With --pid-file COMMAND is a container runtime that starts the program and returns; the program is then the process
# that FILE names. It becomes a child of the keeper, which is why the keeper knows its exit code. A runtime that fails
# says why in its log. With --console the runtime sends the terminal it made to the socket PATH.
#
# With --exit the keeper goes into the background when the program is there: it prints "ok KEEPER PROGRAM" (process
# numbers) or "failed REASON", and what the program prints goes to the files of --out and --err. When the program has
# ended, FILE has its exit code and the time.
#
# With --group COMMAND joins a control group before it runs: FILE is the group's cgroup.procs.
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

my $arm = (POSIX::uname())[4] eq 'aarch64';
my ($PRCTL, $RECVMSG) = $arm ? (167, 212) : (157, 47);
use constant PR_SET_CHILD_SUBREAPER => 36;

my (%option, $tty);
while (@ARGV) {
    my $word = shift @ARGV;
    last if $word eq '--';
    if    ($word =~ /^--(tty|once)$/)                                      { $option{$1} = 1 }
    elsif ($word =~ /^--(console|pid-file|log|socket|exit|out|err|group)$/) { $option{$1} = shift @ARGV }
    else                                                                   { die "keeper: what is $word?\n" }
}
@ARGV or die "keeper: no command\n";
my $path = $option{socket};
my $once = $option{once};
$SIG{PIPE} = 'IGNORE';

my $report = go_into_background() if defined $option{exit};
syscall $PRCTL, PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0 if defined $option{'pid-file'};

my ($master, $to_child, %outputs);    # %outputs: letter => handle that the program prints to
my ($over, $ending);                  # the program has ended, and how
my $console = listen_at($option{console}) if defined $option{console};
my $child = $option{tty}                                ? start_on_terminal()
          : defined $option{exit} && !defined $path     ? start_on_files()
          : $console                                    ? start_on_files()
          :                                               start_on_pipes();
$tty = $option{tty} || $console;
await_program() if defined $option{'pid-file'};
for my $signal (qw(TERM INT HUP USR1 USR2 QUIT)) { $SIG{$signal} = sub { kill $signal => $child } }
# Also while it waits for a client to read: the first process of a container, once killed, does not end before every
# program that entered has been reaped, by its parent out here.
$SIG{CHLD} = sub { look_for_end() };

my (%clients, $listener);             # %clients: file number => { handle, in, out }
my $unwritten = '';                   # input that the program has not taken yet
my $input_ends = 0;
if    (defined $path)         { $listener = listen_at($path); nonblocking($listener) }
elsif (!defined $option{exit}) { $clients{0} = { handle => \*STDIN, in => '', out => '' } }
report_to_agent("ok $$ $child");

serve();
write_all($_->{handle}, $_->{out}, 500) for grep { length $_->{out} } values %clients;
unlink $path if defined $path;
if (!$over) { reap($child); $ending = $? }
my $code = $ending & 127 ? 128 + ($ending & 127) : $ending >> 8;
write_end($code) if defined $option{exit};
exit $code;

# The process that was started prints what the other one tells it, and ends; the other one goes on.
sub go_into_background {
    pipe my $told, my $tell or die "keeper: pipe: $!\n";
    my $pid = fork // die "keeper: fork: $!\n";
    if ($pid) {
        close $tell;
        my $text = do { local $/; <$told> } // "failed the keeper died\n";
        print $text;
        exit($text =~ /^ok / ? 0 : 1);
    }
    close $told;
    POSIX::setsid();
    open STDIN,  '<',  '/dev/null'   or die "keeper: /dev/null: $!\n";
    open STDOUT, '>>', $option{out}  or die "keeper: $option{out}: $!\n";
    open STDERR, '>>', $option{err}  or die "keeper: $option{err}: $!\n";
    chdir '/';
    return $tell;
}

sub report_to_agent {
    my ($text) = @_;
    return if !$report;
    syswrite $report, "$text\n";
    close $report;
    undef $report;
}

# The runtime has started the program, or says why not.
sub await_program {
    reap($child);
    my $status = $?;
    if ($status != 0) {
        my $reason = last_error();
        unlink $option{console} if $console;
        if (defined $option{exit}) { report_to_agent("failed $reason"); exit 1 }
        ($over, $ending) = (1, ($reason =~ /not found|no such file/i ? 127 : 126) << 8);
        return;
    }
    $child = first_line($option{'pid-file'});
    unlink $option{'pid-file'}, $option{log} // () if !defined $option{exit};
    receive_terminal() if $console;
}

sub last_error {
    open my $log, '<', $option{log} // '/dev/null' or return 'the runtime failed without a word';
    my $reason = '';
    while (<$log>) { $reason = $1 if /"level":"error".*"msg":"((?:[^"\\]|\\.)*)"|"msg":"((?:[^"\\]|\\.)*)".*"level":"error"/ }
    $reason =~ s/\\(.)/$1/g;
    return $reason || 'the runtime failed without a word';
}

sub first_line {
    my ($file) = @_;
    open my $in, '<', $file or die "keeper: $file: $!\n";
    my $line = <$in>;
    chomp $line;
    return $line;
}

sub write_end {
    my ($number) = @_;
    my $fresh = "$option{exit}.new";
    open my $out, '>', $fresh or die "keeper: $fresh: $!\n";
    print $out "$number ", time, "\n";
    close $out;
    rename $fresh, $option{exit} or die "keeper: $option{exit}: $!\n";
}

sub reap {
    my ($pid) = @_;
    while (waitpid($pid, 0) == -1) { last if $! != EINTR }
}

# recvmsg(2) with one file descriptor in its ancillary bytes; perl has no function for it.
sub receive_terminal {
    accept my $from, $console or die "keeper: console: $!\n";
    my ($bytes, $ancillary) = ("\0" x 256, "\0" x 64);
    substr($bytes, 0, 1) = "\0";
    substr($ancillary, 0, 1) = "\0";
    my $vector = pack 'P Q', $bytes, 256;
    my $message = pack 'Q L x4 P Q P Q L x4', 0, 0, $vector, 1, $ancillary, 64, 0;
    my $count = syscall $RECVMSG, fileno($from), $message, 0;
    $count > 0 or die "keeper: console: $!\n";
    my ($length, $level, $type, $number) = unpack 'Q i i i', $ancillary;
    open $master, '+<&=', $number or die "keeper: console: $!\n";
    close $console;
    unlink $option{console};
    ($to_child, %outputs) = ($master, o => $master);
}

sub start_on_files {
    my $pid = fork // die "keeper: fork: $!\n";
    return $pid if $pid;
    open STDIN, '<', '/dev/null';
    run();
}

sub start_on_terminal {
    sysopen $master, '/dev/ptmx', O_RDWR | O_NOCTTY or die "keeper: /dev/ptmx: $!\n";
    my $number = pack 'i', 0;
    ioctl $master, TIOCSPTLCK, $number or die "keeper: unlock: $!\n";
    ioctl $master, TIOCGPTN, $number or die "keeper: number: $!\n";
    my $name = '/dev/pts/' . unpack 'i', $number;
    my $pid = fork // die "keeper: fork: $!\n";
    if (!$pid) {
        POSIX::setsid();
        sysopen my $slave, $name, O_RDWR or die "keeper: $name: $!\n";
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
    pipe my $in_read, my $in_write or die "keeper: pipe: $!\n";
    pipe my $out_read, my $out_write or die "keeper: pipe: $!\n";
    pipe my $err_read, my $err_write or die "keeper: pipe: $!\n";
    my $pid = fork // die "keeper: fork: $!\n";
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
    join_group($option{group}) if defined $option{group};
    exec { $ARGV[0] } @ARGV;
    print STDERR "$ARGV[0]: $!\n";
    POSIX::_exit($! == Errno::ENOENT ? 127 : 126);
}

sub join_group {
    my ($processes) = @_;
    my $group;
    return if open($group, '>', $processes) && syswrite($group, $$) && close $group;
    print STDERR "keeper: $processes: $!\n";
    POSIX::_exit(126);
}

sub listen_at {
    my ($where) = @_;
    unlink $where;
    socket my $socket, PF_UNIX, SOCK_STREAM, 0 or die "keeper: socket: $!\n";
    umask 0077;
    bind $socket, pack_sockaddr_un($where) or die "keeper: $where: $!\n";
    listen $socket, 16 or die "keeper: listen: $!\n";
    return $socket;
}

sub nonblocking {
    my ($handle) = @_;
    fcntl $handle, F_SETFL, fcntl($handle, F_GETFL, 0) | O_NONBLOCK or die "keeper: fcntl: $!\n";
}

# Until the program has ended, and the client has what it printed: what it leaves behind may hold its outputs open for long.
sub serve {
    nonblocking($_) for grep { defined } $to_child, values %outputs;
    while (%outputs) {
        my ($reads, $writes) = ('', '');
        vec($reads, fileno $_, 1) = 1 for values %outputs;
        vec($reads, fileno $listener, 1) = 1 if $listener;
        if (length $unwritten < BLOCK) {
            vec($reads, fileno $_->{handle}, 1) = 1 for values %clients;
        }
        vec($writes, fileno $to_child, 1) = 1 if $to_child && length $unwritten;
        for (values %clients) { vec($writes, fileno $_->{handle}, 1) = 1 if length $_->{out} }
        look_for_end();
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

sub look_for_end {
    local ($!, $?);
    if (!$over && waitpid($child, POSIX::WNOHANG()) == $child) { ($over, $ending) = (1, $?) }
}

sub print_from {
    my ($letter) = @_;
    my $count = sysread $outputs{$letter}, my $bytes, BLOCK;
    return if !defined $count && ($! == EINTR || $! == EAGAIN);
    if (!$count) {                    # a terminal that every process left is an error to read
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

# A terminal goes on without the client: only the character for it would end its input, and the client did not type that.
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
