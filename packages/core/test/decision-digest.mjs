/**
 * Prints a digest of some thousand decisions, next times and formatted texts. Run by
 * engines.test.ts on several versions of Node and under several environments: all have to agree.
 */
import { createHash } from 'node:crypto'
import { compileJob, formatSchedule, parseSchedule, planNextRun } from '../dist/index.js'

const zones = ['UTC', 'America/New_York', 'Europe/Paris', 'Australia/Lord_Howe', 'America/Santiago']
const distributions = [
  '@dist(uniform)',
  '@dist(skewEarly,shape=2.5)',
  '@dist(skewLate,shape=0.3)',
  '@dist(normal,mu=start,sigma=7m)',
  '@dist(normal)',
  '@dist(exponential,lambda=3,dir=late)',
  '@dist(exponential,lambda=0.1,sample=exact)',
  '@dist(normal,mu=end,sample=exact)',
]
const seeds = ['@seed(stable)', '@seed(daily,salt="é ß")', '@seed(weekly,salt=x)']
const constraints = ['', '@only(hours=0-20;dow=MON-SAT)', '@avoid(between=22:00-02:30)']

const hash = createHash('sha256')
let decisions = 0
for (const zone of zones) {
  for (const distribution of distributions) {
    for (const seed of seeds) {
      for (const constraint of constraints) {
        const text = `30 1 * * * @tz(${zone}) @win(around,23h) ${distribution} ${seed} ${constraint}`
        const spec = parseSchedule(text)
        const job = compileJob({ identity: `Ünï/${zone}`, ...spec })
        hash.update(formatSchedule(spec))
        let nominal = Date.UTC(2026, 1, 20)
        for (let i = 0; i < 40; i++) {
          nominal = job.nextPeriod(nominal)
          const { decision, samples } = job.explain(nominal)
          hash.update(JSON.stringify([decision, samples, job.acceptance(nominal)]))
          decisions++
        }
        const plan = { baselineCron: job, createdAt: 0, lastRunAt: nominal }
        hash.update(JSON.stringify(planNextRun(plan, nominal)))
      }
    }
  }
}
process.stdout.write(`${decisions} ${hash.digest('hex')}\n`)
