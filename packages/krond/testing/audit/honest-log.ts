import { compileJob, parseSchedule, tzdataVersion } from '@kron/core'
import { type HostJob, logVersion } from '../../src/daemon/index.js'
import { sampleJob } from '../daemon/sample-job.js'
import { type Life, statePath, VirtualKrond } from '../daemon/virtual-krond.js'
import type { VirtualRun, VirtualStart } from '../process/virtual-process.js'

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

/** What a reload brings instead: one job less, one suspended, others at other times. */
const otherSchedules: readonly string[] = [
  '10 * * * * @win(after,30m) @policy(deadline=10m)',
  '*/20 * * * * @win(around,20m) @dist(normal) @policy(suspend=true)',
  '30 * * * * @tz(Europe/Paris) @win(after,20m) @policy(concurrency=replace,deadline=5m)',
  '0 2 * * * @tz(America/New_York) @win(after,2h) @seed(daily,salt=x) @policy(deadline=30s)',
  '15 * * * * @win(after,10m) @policy(deadline=1m,first=run)',
]

const minute = 60_000
const hour = 60 * minute

export interface HonestWorld {
  readonly seed: number
  readonly from: number
  readonly hours: number
  /** Of a kill, every few hours. */
  readonly crashChance?: number
  /** Whether there are reloads, jumps of the clock, stops and lost states as well. */
  readonly disturbed?: boolean
  /** Executions at once. */
  readonly maxRunning?: number
}

/** The log of a real daemon in virtual time, which is killed now and then. */
export function honestLog(world: HonestWorld): Promise<string[]> {
  return new HonestHost(world).run()
}

class HonestHost {
  readonly #world: HonestWorld
  readonly #krond: VirtualKrond
  readonly #lines: string[] = []
  #jobs = jobsOf(schedules)
  #life: Life | null = null
  #told = 0
  #pid = 100
  #random: number

  constructor(world: HonestWorld) {
    this.#world = world
    this.#random = world.seed
    const at = new Date(world.from).toISOString()
    this.#krond = new VirtualKrond({ at, quietTurns: 0, world: (start) => this.#run(start) })
  }

  async run(): Promise<string[]> {
    const { from, hours } = this.#world
    await this.#start()
    while (this.#now < from + hours * hour) {
      await this.#krond.clock.advanceBy(this.#between(minute, 3 * hour))
      if (this.#chance(this.#world.crashChance ?? 0)) await this.#crash()
      else if (this.#world.disturbed === true) await this.#disturb()
    }
    await this.#stop()
    return this.#lines
  }

  get #now(): number {
    return this.#krond.clock.now().getTime()
  }

  async #start(): Promise<void> {
    const about = {
      version: '0.1.0',
      log_version: logVersion,
      tzdata: tzdataVersion,
      boot_id: 'b1',
    }
    const pid = ++this.#pid
    const jobs = this.#jobs.length
    const time = new Date(this.#now).toISOString()
    const head = { time, level: 'info', component: 'krond', event: 'start' }
    this.#lines.push(JSON.stringify({ ...head, ...about, state: '/var/lib/krond', jobs, pid }))
    const { maxRunning = 256 } = this.#world
    this.#life = await this.#krond.start(this.#jobs, { firstSight: true, maxRunning })
  }

  #collect(): void {
    const { lines } = this.#krond
    for (const line of lines.slice(this.#told)) this.#lines.push(JSON.stringify(line))
    this.#told = lines.length
  }

  async #crash(): Promise<void> {
    this.#krond.kill()
    this.#collect()
    if (this.#chance(0.5)) this.#lines.push('{"time":"2026-03-01T0')
    await this.#krond.clock.advanceBy(this.#between(1000, 3 * hour))
    await this.#start()
  }

  async #stop(): Promise<void> {
    void this.#life?.daemon.stop({ kill: this.#chance(0.5) })
    await this.#krond.clock.advanceBy(this.#between(0, 20) * minute)
    this.#life?.daemon.stopNow()
    this.#krond.kill()
    this.#collect()
  }

  async #disturb(): Promise<void> {
    const { clock, disk } = this.#krond
    const kind = this.#between(0, 6)
    if (kind === 0) clock.step(this.#between(2, 60) * minute)
    else if (kind === 1) clock.step(-this.#between(2, 60) * minute)
    else if (kind <= 3) {
      this.#jobs = jobsOf(this.#chance(0.5) ? otherSchedules : schedules)
      await this.#life?.daemon.reload(this.#jobs)
    } else if (kind === 4) {
      await this.#stop()
      await clock.advanceBy(this.#between(1000, hour))
      if (this.#chance(0.5)) {
        const path = statePath(this.#jobs[this.#between(0, 4)]!)
        if (disk.inspect(path) !== null) disk.plant(path, { bytes: new Uint8Array([123]) })
      }
      await this.#start()
    }
  }

  /** Mostly well and soon, now and then slow, stubborn or impossible. */
  #run({ earlier }: VirtualStart): VirtualRun {
    if (earlier === 0 && this.#chance(0.05)) return { prepare: 'transient' }
    if (this.#chance(0.05)) return { exec: 'fails' }
    const durationMs = this.#between(1, this.#chance(0.2) ? 5 * hour : 10 * minute)
    return { durationMs, exitCode: 0, ignoresTerm: this.#chance(0.2) }
  }

  #chance(share: number): boolean {
    return this.#between(0, 999_999) < share * 1_000_000
  }

  #between(least: number, most: number): number {
    this.#random = (Math.imul(this.#random, 1_664_525) + 1_013_904_223) >>> 0
    return least + Math.floor((this.#random / 2 ** 32) * (most - least + 1))
  }
}

function jobsOf(texts: readonly string[]): HostJob[] {
  return texts.map((schedule, index) => {
    const name = `job-${index}`
    const identity = `/etc/krond.d/a:${name}`
    const sample = sampleJob(schedule, { name, timeoutMs: index === 1 ? 2 * hour : null })
    const job = compileJob({ ...parseSchedule(schedule), identity })
    return { ...sample, identity, job }
  })
}
