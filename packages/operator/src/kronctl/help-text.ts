import type { ProgramName } from './program-name.js'

/** Texts of `--help`; every line that begins with the program's name works as it stands. */
export function helpTexts(program: ProgramName) {
  return {
    program: `
KronJobs come from files with -f, which needs no cluster, or from the cluster that kubectl uses.
Their identity is <namespace>/<name>: with the schedule, it decides each chosen time.

Examples:
  ${program} validate -f kronjobs.yaml
  ${program} next backup --count 3
  ${program} import --out kronjobs.yaml

Exit codes: 0 success, 1 bad arguments or not found, 2 invalid manifests, 3 API server, 4 fatal.`,
    next: `
Examples:
  ${program} next backup --count 3
  ${program} next -n shop                           all KronJobs of a namespace
  ${program} next -A -l team=shop                   those with a label, of all namespaces
  ${program} next -f kronjobs.yaml --from 2026-03-27T00:00:00Z --until 2026-04-01T00:00:00Z`,
    explain: `
Examples:
  ${program} explain backup                         the current period
  ${program} explain shop/backup --next             the one after it
  ${program} explain -f kronjobs.yaml backup --at 2026-03-01T04:00:00Z`,
    simulate: `
Examples:
  ${program} simulate -A                            the next 24 hours of the whole cluster
  ${program} simulate -f manifests --out load.svg
  ${program} simulate -n shop --from 2026-03-01T00:00:00Z --for 168h --bucket 10m`,
    validate: `
Examples:
  ${program} validate -f kronjobs.yaml
  ${program} validate -f manifests --strict         a folder; warnings count as errors
  cat kronjobs.yaml | ${program} validate -f - --format json`,
    import: `
The KronJobs run when the CronJobs do. Each difference is told in a comment above its field. What
can't be converted, such as @every 1h, is an error, and the others are converted all the same.

Examples:
  ${program} import --out kronjobs.yaml             all CronJobs of the namespace
  ${program} import nightly --window 30m            with a window, which CronJobs do not have
  ${program} import -l team=shop -o json            those with a label, as JSON
  ${program} import -f cronjobs.yaml`,
    suspend: `
Jobs that run go on, and periods pass without an outcome.

Examples:
  ${program} suspend backup
  ${program} suspend -l team=shop
  ${program} suspend --all -n shop`,
    resume: `
Of the periods that passed meanwhile only the current one is considered: it is started if its
deadline allows. The others are not made up for.

Examples:
  ${program} resume backup
  ${program} resume --all -n shop`,
    run: `
The Job has the KronJob as its owner, and counts neither as a run of any period nor as late. Of a
KronJob that is invalid none is created.

Examples:
  ${program} run backup
  ${program} run backup --dry-run                   print the Job instead`,
  } as const
}
