import { cases } from './cron-job-case.js'
import { type Difference, differenceIn, differences } from './differences.js'

const same = cases.filter((situation) => differenceIn(situation) === undefined).length

const introduction = `# KronJob and CronJob

Kubernetes tests its CronJob controller in ${cases.length} situations. The controller of KronJobs is
put into each of them, with the KronJob that \`kronctl import\` makes of the CronJob. In ${same} it
does the same: the same Jobs created, deleted and counted as active, the same next time, and as many
warnings. In the others it differs on purpose.

One more difference shows only later: where \`Forbid\` met a Job that was active, a CronJob starts the
run after all when that Job ends, if its deadline allows. For a KronJob with \`forbid\` the period is
skipped, for good: what ends late does not move what comes after it.

This page is made from \`packages/operator/test/cronjob/differences.ts\`, which the tests hold the
controller to.
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
