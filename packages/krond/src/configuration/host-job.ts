import type { HostJob } from '../daemon/index.js'
import type { KrontabJob } from '../krontab/index.js'
import { type Accounts, resolveAccount, type Self } from '../process/index.js'

/** A job with its account looked up; throws a ConfigurationError when it may not have that. */
export function hostJobOf(entry: KrontabJob, accounts: Accounts, self: Self): HostJob {
  const { identity, name, job, command, user, group, cwd, env, umask, timeoutMs } = entry
  return {
    identity,
    name,
    job,
    settings: {
      command,
      account: resolveAccount({ user, group }, accounts, self),
      cwd: cwd ?? null,
      env,
      umask: umask ?? null,
      timeoutMs: timeoutMs ?? null,
      stdout: entry.stdout,
      stderr: entry.stderr,
      stdin: entry.stdin ?? null,
    },
  }
}
