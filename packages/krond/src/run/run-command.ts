import { type ExitCode, exitCodes } from '@kron/command'
import {
  ConfigurationError,
  ExecutionError,
  type KronError,
  quotePath,
  suggestion,
} from '@kron/core'
import { type Clock, systemClock } from '@kron/runtime'
import type { Invocation } from '../command/invocation.js'
import type { Configuration } from '../configuration/configuration.js'
import { processSignals, type SignalSource } from '../control/signal-source.js'
import type { HostJob } from '../daemon/index.js'
import { defaultOptions } from '../daemon/ports.js'
import { type ExitStatus, type Processes, systemProcesses } from '../process/index.js'

export interface RunPorts {
  readonly processes: Processes
  readonly signals: SignalSource
  readonly clock: Clock
}

function runPorts(): RunPorts {
  const clock = systemClock()
  return { processes: systemProcesses({ clock }), signals: processSignals, clock }
}

/**
 * `krond run <job>`: now, in the foreground, as the daemon would, but outside of any period: no
 * state is read or written.
 */
export async function runCommand(
  invocation: Invocation,
  configuration: Configuration,
  wanted: string,
  { processes, signals, clock }: RunPorts = runPorts(),
): Promise<ExitCode> {
  const { identity, name, settings } = jobNamed(invocation, configuration, wanted)
  const { stdout, stderr } = invocation.host
  const isJson = invocation.format === 'json'
  const gate = await processes.prepare({
    identity,
    name,
    settings,
    period: null,
    // With JSON the result is all that goes to stdout.
    onLine: (stream, line) => (stream === 'stderr' || isJson ? stderr : stdout).write(`${line}\n`),
  })
  const release = await gate.release()
  if (release.kind === 'not-executed') {
    const message = `${name} was not executed: ${release.reason}`
    throw new ExecutionError('KRON_EXECUTION', message, { field: 'command', value: name })
  }
  const over = new AbortController()
  const kill = (): void => void processes.signal(gate.process, 'SIGKILL')
  const end = (): void => {
    processes.signal(gate.process, 'SIGTERM')
    void clock.sleep(defaultOptions.graceMs, over.signal).then(kill, () => undefined)
  }
  // The job leads a process group of its own, so Ctrl-C at the terminal does not reach it.
  const unsubscribe = signals.subscribe({ stop: end, leave: end, reload: end })
  if (settings.timeoutMs !== null) {
    void clock.sleep(settings.timeoutMs, over.signal).then(end, () => undefined)
  }
  const status = await gate.exited
  over.abort()
  unsubscribe()
  if (isJson) invocation.printJson({ identity, exit_code: status.code, signal: status.signal })
  if (status.code === 0) return exitCodes.success
  if (!isJson) invocation.complain(`${name} ${endOf(status)}`)
  return exitCodes.fatal
}

function endOf({ code, signal }: ExitStatus): string {
  return code === null ? `was ended by ${signal ?? 'an unknown signal'}` : `exited with ${code}`
}

function jobNamed(
  invocation: Invocation,
  { jobs, problems }: Configuration,
  wanted: string,
): HostJob {
  const isWanted = ({ details }: KronError): boolean =>
    details['name'] === wanted || details['identity'] === wanted
  for (const problem of problems) if (!isWanted(problem)) invocation.complain(problem.message)
  const found = jobs.filter(({ name, identity }) => name === wanted || identity === wanted)
  if (found.length === 1) return found[0]!
  const [first, ...others] = problems.filter(isWanted)
  if (found.length === 0 && first !== undefined) throw invalidJob(wanted, first, others)
  const names = new Set(jobs.map(({ name }) => name))
  const hint = found.map(({ identity }) => `  ${identity}`)
  throw new ConfigurationError(
    'KRON_JOB_UNKNOWN',
    found.length === 0
      ? `no job ${quotePath(wanted)}${suggestion(wanted, names)}`
      : `${found.length} jobs have the name ${quotePath(wanted)}`,
    {
      field: 'job',
      value: wanted,
      ...(found.length > 0 && { hint: ['hint: use one of', ...hint].join('\n') }),
    },
  )
}

/** It is in the files, but the daemon leaves it out as well. */
function invalidJob(wanted: string, first: KronError, others: readonly KronError[]): KronError {
  const hint = [first, ...others].map(({ message }) => `  ${message}`).join('\n')
  const message = `the job ${quotePath(wanted)} has errors, so it is not run`
  return new ConfigurationError(first.code, message, { ...first.details, hint })
}
