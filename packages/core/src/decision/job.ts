import { checkInstant, latestInstant } from '../calendar/instant.js'
import { type Cron, parseCron } from '../cron/index.js'
import { type JobDefinition, type JobSpec, resolveJobDefinition } from '../definition/index.js'
import { formatDuration } from '../duration/index.js'
import { ValidationError } from '../errors/index.js'
import { pow } from '../math/index.js'
import { Decider, type Decision } from './decision.js'
import { PeriodSearch } from './period-search.js'
import { maxAttempts, type Sample } from './sampling.js'
import { timingOf } from './timing.js'
import { windowStartSecond } from './window.js'

/** Periods with an allowed second that are decided in search of one that can run. */
const maxDecided = 10_000

/** A job definition, checked and compiled once. Immutable; every question to it is pure. */
export class Job {
  readonly spec: JobSpec
  readonly cron: Cron
  readonly #decider: Decider
  /** Null without constraints: then every period can run. */
  readonly #search: PeriodSearch | null

  constructor(spec: JobSpec) {
    this.spec = spec
    this.cron = parseCron(spec.schedule, spec.dialect)
    this.#decider = new Decider(spec)
    const { zone, window, constraints } = this.#decider
    checkPossible(spec, this.cron)
    checkOverlap(spec, this.cron)
    this.#search = constraints && new PeriodSearch(this.cron, zone, window, constraints)
    if (this.#search?.isPossible() === false) throw neverAllowed(spec)
    Object.freeze(this)
  }

  get identity(): string {
    return this.spec.identity
  }

  get policy(): JobSpec['policy'] {
    return this.spec.policy
  }

  /** A fingerprint of all that decides when this job runs, but for its identity. */
  get timing(): string {
    return timingOf(this.spec)
  }

  get zone(): Decider['zone'] {
    return this.#decider.zone
  }

  /** The decision of the period at this nominal time. */
  decide(nominal: number): Decision {
    return this.#decider.decide(nominal)
  }

  /** The same decision with every draw that led to it. */
  explain(nominal: number): { readonly decision: Decision; readonly samples: readonly Sample[] } {
    const samples: Sample[] = []
    const decision = this.#decider.decide(nominal, (sample) => samples.push(sample))
    return { decision, samples }
  }

  /** The probability that one draw for this period satisfies the constraints. */
  acceptance(nominal: number): number {
    return this.#decider.acceptance(nominal)
  }

  /**
   * The probability that this period ends up unschedulable, over all seeds: 64 draws turned down
   * in a row, or with `sample=exact` no allowed second at all.
   */
  unschedulableProbability(nominal: number): number {
    const accepted = this.acceptance(nominal)
    if (this.spec.distribution.params['sample'] === 'exact') return accepted > 0 ? 0 : 1
    return pow(1 - accepted, maxAttempts)
  }

  /** Nominal time of the period with the greatest window start <= `now`, or null. */
  currentPeriod(now: number): number | null {
    checkInstant(now, 'now')
    // windowStart(N) = floor((N - before) / 1s) <= floor(now / 1s), solved for N.
    const latest = Math.floor(now / 1000) * 1000 + 999 + this.#decider.window.before
    return this.cron.previous(Math.min(latest, latestInstant), this.zone)
  }

  /** The first nominal time after `after`, or null. */
  nextPeriod(after: number): number | null {
    return this.cron.next(after, this.zone)
  }

  /**
   * The first nominal time after `after` whose period has a chosen time, or null. Periods without
   * an allowed second are jumped over, however many; the others are decided one by one, at most
   * `maxDecided` of them: more in a row have no chosen time only where a draw is all but hopeless.
   */
  nextSchedulable(after: number): number | null {
    if (this.#search === null) return this.nextPeriod(after)
    let nominal = this.#search.next(after)
    for (let decided = 0; nominal !== null && decided < maxDecided; decided++) {
      if (this.#decider.isSchedulable(nominal)) return nominal
      nominal = this.#search.next(nominal)
    }
    return null
  }

  /**
   * The instant from which the period after this one is the current one. Usually the end of this
   * window or later; a change of the clock can bring it before the chosen time.
   */
  supersededAt(nominal: number): number | null {
    const following = this.nextPeriod(nominal)
    return following === null ? null : windowStartSecond(this.#decider.window, following) * 1000
  }
}

/** Checks everything about a job at once; what it returns can't fail on any period. */
export function compileJob(definition: JobDefinition): Job {
  return new Job(resolveJobDefinition(definition))
}

function checkPossible(spec: JobSpec, cron: Cron): void {
  if (cron.possible) return
  throw new ValidationError(
    'KRON_CRON_NEVER',
    `schedule "${spec.schedule}" never runs: no month has such a day`,
    { field: 'schedule', value: spec.schedule, allowed: 'an expression that matches some date' },
  )
}

function neverAllowed(spec: JobSpec): ValidationError {
  const { only, avoid } = spec.constraints
  const clauses = [...only.map((text) => `only ${text}`), ...avoid.map((text) => `avoid ${text}`)]
  const allowed = 'constraints that allow some time of some period'
  return new ValidationError(
    'KRON_SCHEDULE_NEVER',
    `schedule "${spec.schedule}" never runs: no period has a time that its constraints allow (` +
      `${clauses.join(', ')})`,
    { field: 'constraints', value: spec.constraints, allowed },
  )
}

/** Windows of neighbouring periods may touch but not overlap, so that periods end in order. */
function checkOverlap(spec: JobSpec, cron: Cron): void {
  const { duration } = spec.window
  if (duration === 0) return
  const gap = cron.smallestGap() * 1000
  if (duration <= gap) return
  throw new ValidationError(
    'KRON_WINDOW_OVERLAP',
    `window of ${formatDuration(duration)} is too large: "${spec.schedule}" has periods only ` +
      `${formatDuration(gap)} apart`,
    {
      field: 'window.duration',
      value: duration,
      allowed: `at most ${formatDuration(gap)}`,
      smallestGap: gap,
    },
  )
}
