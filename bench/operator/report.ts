import type { Machine } from '../machine.ts'

export interface Round {
  readonly who: 'kron' | 'own' | 'cronjob'
  readonly seen: number
  readonly firstMs: number
  readonly medianMs: number
  readonly lastMs: number
}

export interface Results {
  readonly machine: Machine
  readonly kubernetes: string
  readonly kronJobs: number
  readonly due: number
  readonly firstReadyMs: number
  readonly readyMs: number
  readonly residentMb: number
  readonly cpuAtRest: number
  readonly reconciledAtRest: number
  readonly reconciliationsPerSecond: number
  readonly rounds: readonly Round[]
}

const names: Record<Round['who'], string> = {
  kron: 'kron-operator, from the chosen second',
  own: 'the API server alone, from the first request',
  cronjob: 'CronJob, from its minute',
}

export function render(results: Results): string {
  const { machine, kubernetes, kronJobs, due } = results
  const best = (who: Round['who']): Round | undefined =>
    results.rounds.filter((round) => round.who === who).sort((a, b) => a.lastMs - b.lastMs)[0]
  const rows = (['own', 'kron', 'cronjob'] as const).map((who) => {
    const round = best(who)
    if (round === undefined) return `| ${names[who]} | - | - | - | - | - |`
    const all = results.rounds.filter((each) => each.who === who).map((each) => each.lastMs)
    const rate = (round.seen / round.lastMs) * 1000
    const share = rate / ownRate(best('own'))
    return (
      `| ${names[who]} | ${round.firstMs} ms | ${round.medianMs} ms | ${round.lastMs} ms | ` +
      `${Math.round(rate)} | ${share.toFixed(2)} | ${all.join(', ')} |`
    )
  })
  return `# The controller, measured

${machine.processor}, ${machine.cores} cores for everything: the controller, Kubernetes ${kubernetes}
with an etcd without fsync, and the measuring client. Node ${machine.node}. Written by
\`npm run bench:operator -- --readme\`.

## ${due} Jobs that are due in one second

Among ${kronJobs.toLocaleString('en')} KronJobs. A Job counts when a watch sees it. The API server alone is
asked for such Jobs, with owners and labels, by a client that does nothing else, with 16, 32 and 64
requests at once; the best of these counts. The best round of each, and the last Job of all rounds:

| | first | median | last | Jobs a second | of the API server's | all rounds, ms |
| --- | --- | --- | --- | --- | --- | --- |
${rows.join('\n')}

## ${kronJobs.toLocaleString('en')} KronJobs

| | |
| --- | --- |
| from the start of the process until all is read and planned, the first time | ${seconds(results.firstReadyMs)} |
| the same, when every KronJob has its status | ${seconds(results.readyMs)} |
| reconciliations a second, each with the first status of its KronJob written | ${Math.round(results.reconciliationsPerSecond)} |
| memory at rest | ${Math.round(results.residentMb)} MB |
| processor at rest | ${(results.cpuAtRest * 100).toFixed(1)} % of a core |
| reconciliations in 30 s at rest | ${results.reconciledAtRest} |
`
}

const ownRate = (own: Round | undefined): number =>
  own === undefined ? Number.NaN : (own.seen / own.lastMs) * 1000

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`
