# What the transcripts may type besides kubectl.

# lines N COMMAND... : the first N lines of a command that would go on for ever; then it is ended
lines() {
  local from
  exec {from}< <(exec "${@:2}" 2>&1)
  head -n "$1" <&"$from"
  kill $!
}

# until_it_says TEXT COMMAND... : the output of the command, once it contains the text
until_it_says() {
  local said
  until said=$("${@:2}" 2>&1) && [[ $said == *"$1"* ]]; do sleep 0.1; done
  printf '%s\n' "$said"
}
