#!/bin/bash
# An array of five Slurm tasks shares the steps of tests/, and a job that waits for all of them merges their reports: bash slurm.sh
set -euo pipefail
mkdir -p reports
# A report of an earlier run must not stand in for a task that does not begin.
rm -f reports/shard-*.json
array=$(sbatch --parsable --array=1-5 --job-name=garland --output=reports/shard-%a.log --wrap \
  'garland run tests/ --shard auto --report json=reports/shard-$SLURM_ARRAY_TASK_ID.json')
# After all tasks, whether their steps passed or not.
sbatch --dependency="afterany:$array" --job-name=garland-merge --output=reports/merge.log --wrap \
  'garland report merge reports/shard-*.json --report junit=reports/junit.xml --report html=reports/report.html'
