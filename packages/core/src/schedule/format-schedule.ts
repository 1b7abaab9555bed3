import { parseCron } from '../cron/index.js'
import type { Job } from '../decision/index.js'
import { resolveScheduleSpec, type ScheduleSpec } from '../definition/index.js'
import { formatDuration } from '../duration/index.js'

/**
 * The canonical text of a schedule: modifiers in one order, defaults left out. Reading it in the
 * same dialect gives an equal specification.
 */
export function formatSchedule(spec: ScheduleSpec): string {
  const checked = resolveScheduleSpec(spec)
  // A schedule that is not cron could smuggle in modifiers of its own.
  parseCron(checked.schedule, checked.dialect)
  return textOf(checked)
}

/** The same for a job, whose schedule was checked when it was compiled. */
export function scheduleText(job: Job): string {
  return textOf(job.spec)
}

function textOf(checked: ScheduleSpec): string {
  const modifiers = [
    checked.timezone === 'UTC' ? '' : `@tz(${written(checked.timezone)})`,
    windowText(checked.window),
    distributionText(checked.distribution),
    seedText(checked.seed),
    policyText(checked.policy),
    clausesText('only', checked.constraints.only),
    clausesText('avoid', checked.constraints.avoid),
  ]
  return [checked.schedule, ...modifiers].filter((part) => part !== '').join(' ')
}

function windowText({ mode, duration }: ScheduleSpec['window']): string {
  return mode === 'after' && duration === 0 ? '' : `@win(${mode},${formatDuration(duration)})`
}

function distributionText({ name, params }: ScheduleSpec['distribution']): string {
  const values = Object.entries(params).map(([key, value]) =>
    key === 'sigma' ? `sigma=${formatDuration(value as number)}` : `${key}=${value}`,
  )
  return name === 'uniform' && values.length === 0 ? '' : `@dist(${[name, ...values].join(',')})`
}

function seedText({ strategy, salt }: ScheduleSpec['seed']): string {
  if (salt !== '') return `@seed(${strategy},salt=${written(salt)})`
  return strategy === 'stable' ? '' : `@seed(${strategy})`
}

function policyText({ concurrency, deadline, suspend, first }: ScheduleSpec['policy']): string {
  const values = [
    concurrency === 'forbid' ? '' : `concurrency=${concurrency}`,
    deadline === 0 ? '' : `deadline=${formatDuration(deadline)}`,
    suspend ? 'suspend=true' : '',
    first === 'wait' ? '' : `first=${first}`,
  ].filter((value) => value !== '')
  return values.length === 0 ? '' : `@policy(${values.join(',')})`
}

function clausesText(name: string, clauses: readonly string[]): string {
  return clauses.length === 0 ? '' : `@${name}(${clauses.join(';')})`
}

/** Bare when it can't be mistaken for anything else; quoted and on one line otherwise. */
function written(value: string): string {
  if (/^[A-Za-z0-9_.:/+-]+$/.test(value)) return value
  return JSON.stringify(value).replace(/[\u007f-\u009f\u2028\u2029\ufeff]/g, escaped)
}

const escaped = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
