#!/usr/bin/env bash
# The step of action.yml: scores $LOG into $OUT; its exit code is that of `sixdim score`.
set -euo pipefail

# lines NAME: fills `found` with the lines of a variable that are not empty.
lines() {
  found=()
  local one
  while IFS= read -r one; do
    if [ -n "$one" ]; then found+=("$one"); fi
  done <<<"${!1:-}"
}

mkdir -p "$OUT"
words=(score --json "$OUT/card.json" --summary "$OUT/summary.md")
if [ -n "${TARGET:-}" ]; then words+=("--target=$TARGET"); fi
if [ -n "${AGAINST:-}" ]; then words+=("--against=$AGAINST"); fi
lines REQUIRE
for one in ${found[@]+"${found[@]}"}; do words+=("--require=$one"); done
lines TOLERANCE
for one in ${found[@]+"${found[@]}"}; do words+=("--tolerance=$one"); done
if [ -n "${TARGET:-}${AGAINST:-}${REQUIRE:-}" ]; then words+=(--junit "$OUT/gate.xml"); fi
lines FLAGS
words+=(${found[@]+"${found[@]}"})
lines LOG
# After `--` a log may have any name.
code=0
"$SIXDIM" "${words[@]}" -- ${found[@]+"${found[@]}"} || code=$?

if [ -f "$OUT/summary.md" ]; then cat "$OUT/summary.md" >>"${GITHUB_STEP_SUMMARY:-/dev/null}"; fi
if [ -f "$OUT/card.json" ]; then
  mark="end_of_status_$RANDOM$RANDOM"
  {
    echo "card=$OUT/card.json"
    echo "status<<$mark"
    # A status is one of the schema's words: nothing of the log reaches the runner's commands.
    sed -n 's/^ *"status": "\([a-z]*\)",$/\1/p' "$OUT/card.json"
    echo "$mark"
  } >>"${GITHUB_OUTPUT:-/dev/null}"
fi
exit "$code"
