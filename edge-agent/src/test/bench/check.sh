#!/bin/sh
# Requests per second of /v1/check on one event loop, beside a server that answers the same bytes without
# deciding, and one that answers 200 alone. Needs wrk, and the agent built with its tests:
#   mvn -q -pl edge-agent -am -DskipTests package && edge-agent/src/test/bench/check.sh [ROUNDS] [SECONDS]
# The three run at once, each warmed, and are measured in turn; the event loops on one core, wrk on the other.
# loop us/req is the processor time of the event loop per request: on a busy machine the figure to compare.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
module=$(cd "$here/../../.." && pwd)
rounds=${1:-4}
seconds=${2:-4}
cp="$module/target/edge-agent.jar:$module/target/test-classes:$(ls "$module"/../common/target/*-tests.jar | head -1)"
tick=$(getconf CLK_TCK)
pids=
trap 'kill $pids 2>/dev/null || true' EXIT INT TERM

start() {
  java -Xms1g -Xmx1g -XX:+AlwaysPreTouch -cp "$cp" dev.weir.bench.CheckServers "$1" "$2" >"/tmp/check-$1.log" 2>&1 &
  pids="$pids $!"
  eval "pid_$1=$!"
  i=0
  until grep -q '^up ' "/tmp/check-$1.log"; do
    i=$((i + 1))
    [ $i -lt 300 ] || { cat "/tmp/check-$1.log"; exit 1; }
    sleep 0.1
  done
}

cpu() { awk '{print $14 + $15}' "$1/stat"; }

loop_of() { # the event loop that serves: the busiest
  for t in /proc/"$1"/task/*; do
    case $(cat "$t/comm") in vert.x-eventloo*) echo "$(cpu "$t") $t" ;; esac
  done | sort -n | tail -1 | cut -d' ' -f2
}

run() { # name port script
  wrk -t1 -c64 -d"$4"s ${3:+-s "$3"} "http://127.0.0.1:$2/v1/check?d.tenant=acme&d.api=public"
}

start bare 23481
start fixed 23482
start agent 23483
sleep 2
for s in bare:23481 fixed:23482 agent:23483; do run "${s%:*}" "${s#*:}" "" 6 >/dev/null; done
run agent 23483 "$here/keys.lua" 6 >/dev/null
for s in bare:23481 fixed:23482 agent:23483; do
  eval "pid=\$pid_${s%:*}"
  loop=$(loop_of "$pid")
  taskset -pc 0 "${loop##*/}" >/dev/null
  eval "loop_${s%:*}=$loop"
done

printf '%-12s %10s %14s %10s\n' server req/s 'loop us/req' share
r=0
while [ $r -lt "$rounds" ]; do
  r=$((r + 1))
  for s in bare:23481: fixed:23482: agent:23483: keys:23483:"$here/keys.lua" fixedkeys:23482:"$here/keys.lua"; do
    name=${s%%:*}
    rest=${s#*:}
    case $name in keys) server=agent ;; fixedkeys) server=fixed ;; *) server=$name ;; esac
    eval "loop=\$loop_$server"
    before=$(cpu "$loop")
    script=${rest#*:}
    out=$(taskset -c 1 wrk -t1 -c64 -d"$seconds"s ${script:+-s "$script"} "http://127.0.0.1:${rest%%:*}/v1/check?d.tenant=acme&d.api=public")
    after=$(cpu "$loop")
    echo "$out" | grep -q 'Non-2xx' && { echo "$out"; exit 1; }
    n=$(echo "$out" | sed -n 's/ *\([0-9]*\) requests in.*/\1/p')
    rps=$(echo "$out" | sed -n 's/Requests.sec: *//p')
    echo "$name $n $rps $((after - before)) $tick $seconds" |
      awk '{printf "%-12s %10.0f %14.2f %10.2f\n", $1, $3, $4/$5/$2*1e6, $4/$5/$6}'
  done
done
