#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# A private Slurm on this machine, for the user who starts it, with its own key, ports and state. It does not use or
# change the system's Slurm, and installs nothing.
#
#   slurm.sh start FOLDER [NODES]    starts a controller and NODES (2) nodes of one processor, waits until they are
#                                    idle, and prints what to set: eval "$(slurm.sh start FOLDER)"
#   slurm.sh stop FOLDER             cancels all jobs and stops the daemons
#
# Exit status 77: it cannot run here (packages are missing, daemons do not start); the reason is on stderr.
set -euo pipefail

what=${1-} folder=${2-} n_nodes=${3:-2}
if [[ ! $what =~ ^(start|stop)$ || -z $folder ]]; then
  sed -n '3,10s/^# \{0,1\}//p' "$0" >&2
  exit 2
fi
PATH=$PATH:/usr/sbin:/sbin
mkdir -p "$folder"
folder=$(cd "$folder" && pwd -P)
export SLURM_CONF=$folder/slurm.conf

say() { echo "slurm.sh: $*" >&2; }
pid_files() { find "$folder" -maxdepth 2 -name '*.pid'; }
is_daemon() { grep -qsE '^(munged|slurmctld|slurmd)$' "/proc/$1/comm"; }

stop() {
  local file pid pids=()
  if [[ -f $SLURM_CONF && -f $folder/slurmctld.pid ]]; then
    timeout 5 squeue --noheader --format=%A 2>/dev/null | sort -u | timeout 5 xargs -r scancel 2>/dev/null || true
    for _ in $(seq 50); do
      [[ -n $(timeout 5 squeue --noheader 2>/dev/null) ]] || break
      sleep 0.1
    done
  fi
  while IFS= read -r file; do
    pid=$(cat "$file")
    if [[ $pid =~ ^[0-9]+$ ]] && is_daemon "$pid"; then pids+=("$pid"); fi
  done < <(pid_files)
  ((${#pids[@]})) || return 0
  kill "${pids[@]}" 2>/dev/null || true
  for _ in $(seq 50); do
    kill -0 "${pids[@]}" 2>/dev/null || return 0 # all daemons have ended
    sleep 0.1
  done
  for pid in "${pids[@]}"; do
    if is_daemon "$pid"; then kill -KILL "$pid" 2>/dev/null || true; fi
  done
}

cannot() {
  say "$*"
  tail -qn 5 "$folder"/log/*.log "$folder"/*.said 2>/dev/null >&2 || true
  stop
  exit 77
}

free_ports() { # free_ports N: below those that the system gives to others
  local port=$((20000 + RANDOM % 10000)) n
  for ((n = 0; n < $1; port++)); do
    (: <>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || { echo -n "$port " && n=$((n + 1)); }
  done
  echo
}

write_configuration() {
  local host user ports i
  host=$(hostname -s) user=$(id -un)
  read -ra ports < <(free_ports $((n_nodes + 1)))
  cat >"$SLURM_CONF" <<END
ClusterName=iasim
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=${ports[0]}
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/munge
AuthInfo=socket=$folder/munge/socket
CredType=cred/munge
StateSaveLocation=$folder/state
SlurmctldPidFile=$folder/slurmctld.pid
SlurmctldLogFile=$folder/log/slurmctld.log
SlurmdPidFile=$folder/slurmd.%n.pid
SlurmdLogFile=$folder/log/slurmd.%n.log
SlurmdSpoolDir=$folder/spool.%n
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
KillWait=2
MaxArraySize=101
SchedulerParameters=batch_sched_delay=0,sched_interval=1,defer
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END
  for ((i = 1; i <= n_nodes; i++)); do
    echo "NodeName=n$i NodeHostname=$host NodeAddr=127.0.0.1 Port=${ports[i]} CPUs=1 State=UNKNOWN" >>"$SLURM_CONF"
  done
}

# The output of a daemon before it detaches goes to NAME.said. It inherits none of our descriptors, so no reader waits
# for it.
daemon() {
  local name=$1
  shift
  "$@" </dev/null >"$folder/$name.said" 2>&1 || cannot "$name does not start"
}

start() {
  local tool i idle
  for tool in munged slurmctld slurmd sbatch squeue; do
    command -v "$tool" >/dev/null ||
      { say "$tool is not installed (Debian: slurm-wlm, slurm-wlm-basic-plugins, munge)" && exit 77; }
  done
  [[ ! -e $SLURM_CONF ]] || { say "$folder has a Slurm already" && exit 2; }
  mkdir -p "$folder"/{state,log,munge}
  chmod 755 "$folder" "$folder/munge"
  (umask 077 && head -c 128 /dev/urandom >"$folder/munge/key")
  write_configuration
  daemon munged munged --key-file="$folder/munge/key" --socket="$folder/munge/socket" \
    --pid-file="$folder/munge/munged.pid" \
    --log-file="$folder/log/munged.log" --seed-file="$folder/munge/seed"
  daemon slurmctld slurmctld -f "$SLURM_CONF" -c
  for ((i = 1; i <= n_nodes; i++)); do daemon "slurmd.n$i" slurmd -f "$SLURM_CONF" -N "n$i"; done
  for _ in $(seq 200); do
    idle=$(timeout 5 sinfo --noheader --Node --format=%T 2>/dev/null | grep -cx idle) || true
    if [[ $idle == "$n_nodes" ]]; then
      printf 'export SLURM_CONF=%q\n' "$SLURM_CONF"
      return
    fi
    sleep 0.1
  done
  cannot "$idle of $n_nodes nodes are idle after 20 s"
}

"$what"
