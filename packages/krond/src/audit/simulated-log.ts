import {
  compileJob,
  type Decision,
  evaluate,
  formatInstant,
  formatSchedule,
  type Job,
  type PlannedPeriod,
  parseSchedule,
  tzdataVersion,
  type Verdict,
} from '@kron/core'
import { createLog, type Log } from '@kron/runtime'
import { nextPeriod } from '../daemon/next-period.js'

/** Every policy, zones with clock changes, and constraints that leave some periods without time. */
const schedules: readonly string[] = [
  '0 * * * * @win(after,30m) @policy(deadline=10m)',
  '*/20 * * * * @win(around,20m) @dist(normal) @policy(concurrency=allow,deadline=1h)',
  '30 * * * * @tz(Europe/Paris) @win(after,20m) @policy(concurrency=replace,deadline=5m)',
  '0 2 * * * @tz(America/New_York) @win(after,2h) @seed(daily,salt=x) @policy(deadline=30s)',
  '15 * * * * @win(after,10m) @avoid(hours=0-11) @policy(deadline=1m)',
  '45 */2 * * * @win(after,1h) @dist(exponential,lambda=3) @policy(concurrency=forbid)',
  '0 0 * * * @policy(suspend=true)',
]

interface Running {
  readonly nominal: number
  readonly pid: number
  readonly endsAt: number
  readonly startedAt: number
  inherited: boolean
}

interface SimulatedJob {
  readonly identity: string
  readonly job: Job
  handledThrough: number | null
  readonly responsibleSince: number
  planned: Decision | null
  dueAt: number
  running: Running[]
}

export interface SimulatedWorld {
  readonly seed: number
  readonly from: number
  readonly hours: number
  /** Of a kill in each hour. */
  readonly crashChance?: number
}

/** The log of a daemon that keeps its contract, though it is killed now and then. */
export function simulatedLog(world: SimulatedWorld): string[] {
  return new SimulatedDaemon(world).run()
}

class SimulatedDaemon {
  readonly #lines: string[] = []
  readonly #log: Log
  readonly #world: SimulatedWorld
  readonly #jobs: SimulatedJob[]
  #now: number
  #random: number
  #pid = 1000

  constructor(world: SimulatedWorld) {
    this.#world = world
    this.#now = world.from
    this.#random = world.seed
    this.#log = createLog({
      format: 'json',
      level: 'info',
      component: 'krond',
      clock: { now: () => new Date(this.#now) },
      write: (line) => void this.#lines.push(line),
    })
    this.#jobs = schedules.map((schedule, index) => {
      const identity = `/etc/krond.d/a:job-${index}`
      const job = compileJob({ ...parseSchedule(schedule), identity })
      const responsibleSince = world.from
      const nothing = { handledThrough: null, planned: null, dueAt: 0, running: [] }
      return { identity, job, responsibleSince, ...nothing }
    })
  }

  run(): string[] {
    const until = this.#world.from + this.#world.hours * 3_600_000
    this.#start()
    while (this.#now < until) {
      const [at, act] = this.#next()
      const crashAt = this.#now + this.#between(1, 3_600_000)
      if (crashAt < at && this.#chance(this.#world.crashChance ?? 0)) this.#crash(crashAt)
      else {
        this.#now = Math.max(this.#now, at) + this.#between(0, 400)
        act()
      }
    }
    this.#log.info('stop', {
      running: this.#jobs.reduce((sum, job) => sum + job.running.length, 0),
    })
    return this.#lines
  }

  #start(): void {
    this.#log.info('start', {
      version: '0.1.0',
      tzdata: tzdataVersion,
      state: '/var/lib/krond',
      jobs: this.#jobs.length,
      pid: ++this.#pid,
    })
    for (const job of this.#jobs) this.#recover(job)
    for (const job of this.#jobs) this.#plan(job)
  }

  #recover(job: SimulatedJob): void {
    for (const running of job.running) {
      running.inherited = true
      const alive = running.endsAt > this.#now
      this.#info(job, running.nominal, 'recovered', { pid: running.pid, alive })
    }
    job.running = job.running.filter(({ endsAt }) => endsAt > this.#now)
  }

  #crash(at: number): void {
    this.#now = at
    if (this.#chance(0.5)) this.#lines.push('{"time":"2026-03-01T0')
    this.#now += this.#between(1_000, 3 * 3_600_000)
    this.#start()
  }

  /** The earliest thing that happens, and when. */
  #next(): [number, () => void] {
    let next: [number, () => void] = [this.#now + 86_400_000, () => undefined]
    for (const job of this.#jobs) {
      if (job.planned !== null && job.dueAt < next[0]) next = [job.dueAt, () => this.#due(job)]
      for (const running of job.running) {
        if (running.endsAt < next[0]) next = [running.endsAt, () => this.#end(job, running, 0)]
      }
    }
    return next
  }

  #plan(job: SimulatedJob): void {
    job.planned = null
    if (job.job.policy.suspend) return
    const { handledThrough, responsibleSince } = job
    const found = nextPeriod(job.job, this.#now, handledThrough, responsibleSince)
    if (found.passedOver !== null) this.#passOver(job, found.passedOver)
    const { decision } = found
    job.planned = decision
    if (decision === null) return
    const nominal = decision.nominalTime
    const giveWay = job.job.supersededAt(nominal) ?? Number.POSITIVE_INFINITY
    job.dueAt = Math.min(decision.chosenTime ?? decision.windowStart, giveWay)
    this.#info(job, nominal, 'decision', decisionFields(job.job, decision))
  }

  #passOver(job: SimulatedJob, { nominalTime, chosenTime, windowStart }: PlannedPeriod): void {
    this.#info(job, nominalTime, 'not_responsible', {
      due: formatInstant(chosenTime ?? windowStart),
      responsible_since: formatInstant(job.responsibleSince),
    })
  }

  #due(job: SimulatedJob): void {
    const decision = job.planned!
    const verdict = evaluate({
      decision,
      policy: job.job.policy,
      now: this.#now,
      handledThrough: job.handledThrough,
      active: job.running.length > 0,
      supersededAt: job.job.supersededAt(decision.nominalTime),
      responsibleSince: job.responsibleSince,
    })
    const late_ms = this.#now - (decision.chosenTime ?? decision.windowStart)
    this.#info(job, decision.nominalTime, 'trigger', { verdict: verdict.kind, late_ms })
    if (verdict.kind === 'execute') this.#execute(job, decision, verdict.replace)
    else this.#settle(job, decision, verdict)
  }

  #execute(job: SimulatedJob, decision: Decision, replace: boolean): void {
    const nominal = decision.nominalTime
    if (this.#chance(0.1)) {
      job.dueAt = this.#now + 30_000
      const due = new Date(job.dueAt).toISOString()
      this.#info(job, nominal, 'reschedule', { due, reason: 'retry' })
      return
    }
    if (replace) for (const running of job.running) this.#replace(job, nominal, running)
    const endsAt = this.#now + this.#between(1, this.#chance(0.2) ? 5 * 3_600_000 : 600_000)
    const pid = ++this.#pid
    job.handledThrough = nominal
    job.running.push({ nominal, pid, endsAt, startedAt: this.#now, inherited: false })
    this.#now += this.#between(0, 100)
    this.#info(job, nominal, 'started', { outcome: 'executed', pid })
    this.#plan(job)
  }

  #replace(job: SimulatedJob, nominal: number, running: Running): void {
    const replaced_period_id = formatInstant(running.nominal)
    const told = { replaced_period_id, pid: running.pid }
    const toldFirst = this.#chance(0.5)
    if (toldFirst) this.#info(job, nominal, 'replaced', told)
    this.#end(job, running, null)
    if (!toldFirst) this.#info(job, nominal, 'replaced', told)
  }

  #end(job: SimulatedJob, running: Running, code: number | null): void {
    job.running = job.running.filter((other) => other !== running)
    this.#info(job, running.nominal, 'completed', {
      pid: running.pid,
      exit_code: running.inherited ? null : code,
      signal: running.inherited || code !== null ? null : 'SIGTERM',
      duration_ms: this.#now - running.startedAt,
    })
  }

  #settle(job: SimulatedJob, decision: Decision, verdict: Verdict): void {
    const event = eventOf(verdict)
    const { nominalTime } = decision
    job.handledThrough = nominalTime
    const reason = 'reason' in verdict ? verdict.reason : ''
    this.#info(job, nominalTime, event, { outcome: verdict.kind, reason })
    this.#plan(job)
  }

  #info(job: SimulatedJob, nominal: number, event: string, fields: object): void {
    this.#log.info(event, { identity: job.identity, period_id: formatInstant(nominal), ...fields })
  }

  #chance(share: number): boolean {
    return this.#between(0, 999_999) < share * 1_000_000
  }

  #between(least: number, most: number): number {
    this.#random = (Math.imul(this.#random, 1_664_525) + 1_013_904_223) >>> 0
    return least + Math.floor((this.#random / 2 ** 32) * (most - least + 1))
  }
}

function eventOf(verdict: Verdict): string {
  if (verdict.kind === 'missed') return 'missed_deadline'
  if (verdict.kind === 'unschedulable') return 'constraint_unsatisfiable'
  const concurrency = verdict.kind === 'skipped' && verdict.reason === 'concurrency'
  return concurrency ? 'skipped_concurrency' : 'skipped_superseded'
}

/** A decision as it is logged. */
export function decisionFields(job: Job, decision: Decision): Record<string, unknown> {
  const { chosenTime, seed } = decision
  return {
    schedule: formatSchedule(job.spec),
    dialect: job.spec.dialect,
    nominal_time: formatInstant(decision.nominalTime),
    window_start: formatInstant(decision.windowStart),
    window_end: formatInstant(decision.windowEnd),
    chosen_time: chosenTime === null ? null : formatInstant(chosenTime),
    timezone: decision.timezone,
    distribution: decision.distribution,
    seed_strategy: seed.strategy,
    salt: seed.salt,
    seed_hash: decision.seedHash,
    attempts: decision.attempts,
    constraints_applied: decision.constraintsApplied,
    reason: decision.reason,
  }
}
