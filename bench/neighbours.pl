# Asks a server over and over, each time with a new connection; prints one row.
#   perl neighbours.pl ADDRESS PORT BESIDE COUNT
use strict;
use warnings;
use Socket;
use Time::HiRes qw(clock_gettime CLOCK_MONOTONIC);

my ($address, $port, $beside, $count) = @ARGV;
my $target = pack_sockaddr_in($port, inet_aton($address));
my (@times, $failed);
$failed = 0;
for (1 .. $count) {
    my $begin = clock_gettime(CLOCK_MONOTONIC);
    my $good = 0;
    if (socket(my $socket, PF_INET, SOCK_STREAM, 0) && connect($socket, $target)) {
        syswrite $socket, "GET / HTTP/1.0\r\n\r\n";
        my $answer = '';
        1 while sysread $socket, $answer, 4096, length $answer;
        $good = $answer =~ /200 OK/;
        close $socket;
    }
    $failed++ if !$good;
    push @times, clock_gettime(CLOCK_MONOTONIC) - $begin;
}
@times = sort { $a <=> $b } @times;
printf "%s,%d,%d,%d,%d,%d\n", $beside, $count, $failed, map { $_ * 1e6 } $times[$count / 2], $times[$count * 0.99], $times[-1];
