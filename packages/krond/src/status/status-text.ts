import { type Column, counted, type Style, table } from '@kron/runtime'
import type { HostStatus, JobStatus } from './host-status.js'

const columns: readonly Column[] = [
  { title: 'job' },
  { title: 'next (UTC)' },
  { title: 'last period (UTC)' },
  { title: 'outcome' },
  { title: 'running' },
]

export function statusText(status: HostStatus, style: Style): string[] {
  const { daemon, state, krontabs, crontabs, jobs } = status
  // Of a daemon whose own words about itself were removed only the number is known.
  const since = daemon.started_at === null ? '' : ` since ${daemon.started_at}`
  const head = daemon.running
    ? `${style('good', 'krond runs')} as process ${daemon.pid}${since}`
    : style('warning', 'krond does not run')
  return [
    head,
    style('faint', `state in ${state}`),
    style('faint', `${counted(jobs.length, 'job')} in ${[...krontabs, ...crontabs].join(', ')}`),
    ...(daemon.waiting === 0
      ? []
      : [style('warning', `${counted(daemon.waiting, 'start')} waiting for a free place`)]),
    ...(jobs.length === 0 ? [] : ['']),
    ...(jobs.length === 0
      ? []
      : table(
          columns,
          jobs.map((job) => row(job, style)),
          (text) => style('faint', text),
        )),
    ...jobs.flatMap(({ name, problem }) => (problem === null ? [] : [`${name}: ${problem}`])),
  ]
}

function row(job: JobStatus, style: Style): string[] {
  const { name, last, running } = job
  return [
    name,
    nextText(job, style),
    last?.period_id ?? '-',
    last === null ? '-' : outcomeText(last, running.length > 0, style),
    running.length === 0 ? '-' : running.map(({ pid }) => pid).join(' '),
  ]
}

function nextText({ suspended, queued, next }: JobStatus, style: Style): string {
  if (suspended) return style('warning', 'suspended')
  if (next === null) return 'never'
  return queued ? `${next.chosen_time} ${style('warning', 'queued')}` : next.chosen_time
}

function outcomeText(
  { outcome, exit_code }: NonNullable<JobStatus['last']>,
  isRunning: boolean,
  style: Style,
): string {
  if (outcome !== 'executed') return style('warning', outcome)
  if (exit_code === 0) return style('good', 'executed, exit 0')
  if (exit_code === null) return isRunning ? 'executed' : style('warning', 'executed, exit unknown')
  return style('error', `executed, exit ${exit_code}`)
}
