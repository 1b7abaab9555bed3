import type { StartRequest } from '../processes.js'
import type { RunSettings } from '../run-settings.js'

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
