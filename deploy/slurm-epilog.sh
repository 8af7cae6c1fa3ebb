#!/usr/bin/env bash
# Slurm epilog: leaves the card of a job's log beside the log. In slurm.conf:
#   Epilog=/etc/slurm/epilog.d/*
#
# An epilog runs as root, and the log is the user's: everything that touches it runs as that user. An
# epilog that fails or hangs drains the node: this one ends with 0, within a minute.
set -u
sixdim=${SIXDIM:-sixdim}

# Once a job, and only for jobs that have a user of their own.
[ -n "${SLURM_JOB_ID:-}" ] && [ -n "${SLURM_JOB_USER:-}" ] || exit 0
[ "$SLURM_JOB_USER" != root ] || exit 0
if [ -n "${SLURM_JOB_NODELIST:-}" ]; then
  first=$(scontrol show hostnames "$SLURM_JOB_NODELIST" 2>/dev/null | head -n 1)
  [ -z "$first" ] || [ "$first" = "${SLURMD_NODENAME:-$first}" ] || exit 0
fi

log=$(scontrol show job "$SLURM_JOB_ID" 2>/dev/null | sed -n 's/^ *StdOut=//p' | head -n 1)
case $log in /*) ;; *) exit 0 ;; esac

# The path is an argument and never part of a command's text.
# shellcheck disable=SC2016 # the user's shell expands it
timeout --kill-after=5 50 runuser -u "$SLURM_JOB_USER" -- sh -c '
  [ -f "$2" ] && cd / && exec "$1" score --config /dev/null --json "$2.card.json" -- "$2"
' sh "$sixdim" "$log" >/dev/null 2>&1
exit 0
