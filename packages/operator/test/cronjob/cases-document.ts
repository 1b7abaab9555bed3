import { cases } from './cron-job-case.js'
import { type Difference, differenceIn, differences } from './differences.js'

const same = cases.filter((situation) => differenceIn(situation) === undefined).length

const introduction = `# KronJob and CronJob

Kubernetes tests its CronJob controller in ${cases.length} situations. Our tests put the controller of
KronJobs into each of them, with the KronJob that \`kronctl import\` writes for the CronJob. In ${same}
situations both do the same: the same Jobs created, deleted and counted as active, the same next time,
and as many warnings. In the others a KronJob differs on purpose.

One more difference shows only later: when \`Forbid\` meets an active Job, a CronJob starts the run
after that Job ends, if its deadline allows. A KronJob with \`forbid\` skips the period for good: a
late end does not move later runs.

This page is generated from \`packages/operator/test/cronjob/differences.ts\`, and the tests hold the
controller to it.
`

/** What docs/operator-cronjob-cases.md says. */
export function casesDocument(): string {
  const head = ['| Situation | CronJob | KronJob | Why |', '| --- | --- | --- | --- |']
  return `${introduction}\n${[...head, ...differences.map(row)].join('\n')}\n`
}

function row({ situation, isMeant, cronJob, kronJob, why }: Difference): string {
  const count = cases.filter(isMeant).length
  const named = count === 1 ? situation : `${situation} (${count} situations)`
  return `| ${[named, cronJob, kronJob, why].join(' | ')} |`
}
