# Makes images of Debian's packages, each an OCI layout in FOLDER: busybox, and nginx as its makers ship it (an entrypoint
# that runs what is in a folder and then the command, logs to the standard streams, SIGQUIT as the signal to stop).
#   sh images.sh FOLDER
set -eu
folder=$1

# start NAME : an empty root
start() {
  root=$folder/$1.root
  mkdir -p "$root/bin" "$root/etc" "$root/tmp" "$root/run" "$root/root"
  chmod 1777 "$root/tmp"
  grep -E '^(root|www-data|nobody):' /etc/passwd >"$root/etc/passwd"
  grep -E '^(root|www-data|nogroup):' /etc/group >"$root/etc/group"
}

# finish NAME OPTIONS... : the root as an image, with what umoci is to say of it
finish() {
  name=$1; shift
  tar -C "$root" --numeric-owner --owner=0 --group=0 -cf "$folder/$name.tar" .
  umoci init --layout "$folder/$name"
  umoci new --image "$folder/$name:latest"
  umoci raw add-layer --image "$folder/$name:latest" "$folder/$name.tar"
  umoci config --image "$folder/$name:latest" --config.env PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"
  rm -rf "$root" "$folder/$name.tar"
}

# program FILE : a program of this machine with the libraries it needs
program() {
  for file in "$1" $(ldd "$1" | grep -o '/[^ )]*'); do
    mkdir -p "$root$(dirname "$file")"
    cp -L "$file" "$root$file"
  done
}

start busybox
cp "$(command -v busybox)" "$root/bin/busybox"
for applet in $("$root/bin/busybox" --list); do
  [ "$applet" = busybox ] || ln -s busybox "$root/bin/$applet"
done
finish busybox --config.cmd sh

# server NAME PORT : nginx, listening at a port
server() {
  start "$1"
  program /usr/sbin/nginx
  cp "$(command -v busybox)" "$root/bin/sh"
  mkdir -p "$root/var/log/nginx" "$root/var/lib/nginx" "$root/var/www/html" "$root/docker-entrypoint.d"
  cp -r /etc/nginx "$root/etc/nginx"
  rm -rf "$root/etc/nginx/modules-enabled"
  sed "s/\(listen .*\)80 default_server/\1$2 default_server/" /etc/nginx/sites-available/default \
    >"$root/etc/nginx/sites-available/default"
  cp /usr/share/nginx/html/index.html "$root/var/www/html/index.html"
  ln -s /dev/stdout "$root/var/log/nginx/access.log"
  ln -s /dev/stderr "$root/var/log/nginx/error.log"
  echo 'echo "$0: who answers is $HOSTNAME"; echo "$HOSTNAME" >/var/www/html/name' >"$root/docker-entrypoint.d/10-name.sh"
  cat >"$root/docker-entrypoint.sh" <<'EOF'
#!/bin/sh
set -e
for script in /docker-entrypoint.d/*.sh; do . "$script"; done
exec "$@"
EOF
  chmod 755 "$root/docker-entrypoint.sh"
  finish "$1" --config.entrypoint /docker-entrypoint.sh --config.cmd nginx --config.cmd -g --config.cmd 'daemon off;' \
    --config.stopsignal SIGQUIT --config.exposedports "$2/tcp"
}
server nginx 80
