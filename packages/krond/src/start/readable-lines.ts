import { formatDuration } from '@kron/core'
import {
  counted,
  instantText,
  type LineFormat,
  type Sentence,
  type SentenceFields,
  sentenceLines,
  styleFor,
} from '@kron/runtime'
import type { LogEvents } from '../daemon/log-events.js'

export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdout: { readonly isTerminal: boolean }
}

/** The log of `krond start` for people at a terminal: a time, a job, a sentence. */
export function readableLines({ env, stdout }: Terminal, { kill }: { kill: boolean }): LineFormat {
  const style = styleFor({ isTerminal: stdout.isTerminal, env, allowed: true })
  const sentences = {
    ...defaultSentences,
    ...(kill && { stop: killingStop }),
    error: errorTeller(),
  }
  return sentenceLines({ style, sentences, nameOf })
}

/** Events of the process around the daemon; `next` and `foreground` are for people alone. */
type OtherEvent = 'notice' | 'listening' | 'log_dropped' | 'next' | 'foreground'

const defaultSentences: {
  readonly [Event in keyof LogEvents | OtherEvent]: Sentence
} = {
  start: ({ version, jobs, state }) => [
    'plain',
    `krond ${version} runs ${counted(Number(jobs), 'job')}, with its state in ${state}`,
  ],
  next: ({ due }, at) => ['plain', `is the first to run, ${instantText(due, at)}`],
  foreground: () => ['strong', 'runs in the foreground; this is its log. Ctrl-C stops it.'],
  listening: ({ address }) => ['plain', `shows jobs and metrics on ${address}`],
  decision: ({ chosen_time, reason }, at) =>
    chosen_time === null
      ? ['warning', `will not run in this period: ${reason}`]
      : ['faint', `next run ${instantText(chosen_time, at)}`],
  reschedule: ({ reason, due }, at) => {
    if (reason === 'queue')
      return ['plain', 'waits for a place: as many jobs run as may run at once']
    return reason === 'retry' ? ['plain', `will be tried again ${instantText(due, at)}`] : null
  },
  not_responsible: () => null,
  unplanned: ({ reason }) => {
    if (reason === 'suspended') return ['plain', 'is suspended and does not run']
    return reason === 'finished' ? ['plain', 'has no further run'] : ['plain', 'was removed']
  },
  trigger: () => null,
  started: ({ pid }) => ['accent', `started as process ${pid}`],
  output: ({ stream, line }) => [stream === 'stderr' ? 'warning' : 'plain', `| ${line}`],
  completed: ({ exit_code, signal, duration_ms }) => {
    const after = `after ${formatDuration(Math.round(Number(duration_ms)))}`
    if (exit_code === 0) return ['good', `ended well ${after}`]
    if (exit_code !== null) return ['error', `failed with exit code ${exit_code} ${after}`]
    if (signal !== null) return ['error', `was ended by ${signal} ${after}`]
    return ['plain', `ended ${after}; its exit code is not known`]
  },
  skipped_concurrency: () => ['warning', 'skipped: the run before still runs'],
  skipped_superseded: () => ['warning', 'skipped: the next period has begun'],
  missed_deadline: ({ reason }) => ['error', `missed: ${reason}`],
  constraint_unsatisfiable: ({ reason }) => ['warning', `did not run: ${reason}`],
  replaced: ({ pid }) => ['warning', `ended the run before, process ${pid}`],
  timed_out: ({ timeout_ms }) => [
    'error',
    `runs longer than its timeout of ${formatDuration(Number(timeout_ms))}, and is ended`,
  ],
  recovered: ({ pid, alive }) =>
    alive === true
      ? ['plain', `still runs as process ${pid}, started by the krond before this one`]
      : [
          'warning',
          `ended while no krond ran; nobody knows the exit code of process ${pid} is not known`,
        ],
  state_lost: ({ moved_to }) => [
    'error',
    `its state could not be read, and is kept as ${moved_to}; the current period will not run`,
  ],
  reload: ({ jobs, added, changed, removed }) => [
    'plain',
    `read its files again: ${counted(Number(jobs), 'job')}, ${added} added, ${changed} changed, ${removed} removed`,
  ],
  clock_jump: ({ from, to }) => ['warning', `the clock was set from ${from} to ${to}`],
  stop: ({ running }) => ['plain', stopText(Number(running))],
  left: ({ running }) => [
    'plain',
    `left ${counted(Number(running), 'job')} running; the next krond start takes over what still runs`,
  ],
  log_dropped: ({ lines }) => ['warning', `${lines} lines of this log were dropped`],
  notice: ({ message }) => ['warning', String(message)],
}

/** What keeps krond from starting mostly stands above already, job by job. */
function errorTeller(): Sentence {
  const told: string[] = []
  return ({ message, operation }) => {
    const text = String(message)
    if (operation !== 'start' || !told.some((one) => text.startsWith(one))) {
      told.push(text)
      return ['error', text]
    }
    const errors = told.length === 1 ? 'the error' : `the ${told.length} errors`
    return ['error', `does not start because of ${errors} above`]
  }
}

/** Of a krond that ends what runs. */
const killingStop: Sentence = ({ running }) => [
  'plain',
  Number(running) === 0 ? 'stops' : `stops, and ends ${runningText(Number(running))}`,
]

function stopText(running: number): string {
  if (running === 0) return 'stops'
  const left = running === 1 ? 'the job' : 'the jobs'
  const waiting = `stops, and waits for ${runningText(running)}.`
  return `${waiting} Ctrl-C again ends krond at once and leaves ${left} running.`
}

const runningText = (running: number): string =>
  running === 1 ? '1 job that runs' : `${running} jobs that run`

/** The name of the job, without the path of its file; what no job says krond says. */
function nameOf({ identity, operation }: SentenceFields): string {
  const text = typeof identity === 'string' && operation !== 'start' ? identity : 'krond'
  return text.slice(text.lastIndexOf(':') + 1)
}
