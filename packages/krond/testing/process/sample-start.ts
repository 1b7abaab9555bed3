import type {
  Account,
  ExitStatus,
  Processes,
  Release,
  RunSettings,
  StartRequest,
} from '../../src/process/processes.js'

/** A start with nothing special about it, for tests and benchmarks. */
export function sampleStart(
  words: readonly [string, ...string[]],
  settings: Partial<RunSettings> = {},
  start: Partial<StartRequest> = {},
): StartRequest {
  return {
    identity: '/etc/krond.d/a.krontab:sample',
    name: 'sample',
    period: null,
    onLine: () => {},
    ...start,
    settings: {
      command: { kind: 'words', words },
      account: null,
      cwd: '/',
      env: {},
      umask: null,
      timeoutMs: null,
      stdout: { kind: 'inherit' },
      stderr: { kind: 'inherit' },
      stdin: null,
      ...settings,
    },
  }
}

export interface JobReport {
  readonly release: Release
  readonly exit: ExitStatus
  readonly stdout: readonly string[]
  readonly stderr: readonly string[]
  readonly pid: number
}

/** Prepares, releases and awaits one job. */
export async function runToEnd(processes: Processes, start: StartRequest): Promise<JobReport> {
  const lines = { stdout: [] as string[], stderr: [] as string[] }
  const gate = await processes.prepare({
    ...start,
    onLine: (stream, line) => void lines[stream].push(line),
  })
  const release = await gate.release()
  const exit = await gate.exited
  return { release, exit, ...lines, pid: gate.process.pid }
}

/* Of every Linux; with no group but their own, and with some. */
export const nobody: Account = {
  name: 'nobody',
  uid: 65_534,
  gid: 65_534,
  groups: [],
  home: '/nonexistent',
}
export const games: Account = { name: 'games', uid: 5, gid: 60, groups: [60], home: '/usr/games' }
export const daemon: Account = {
  name: 'daemon',
  uid: 1,
  gid: 1,
  groups: [1, 4, 20],
  home: '/usr/sbin',
}
