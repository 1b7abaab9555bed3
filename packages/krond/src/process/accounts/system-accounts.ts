import { type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { quote, SystemError } from '@kron/core'
import { codeOf } from '../failure.js'
import { searchPath } from '../spawn/spawner.js'
import type { Accounts, GroupEntry, Self, UserEntry } from './accounts.js'

const notFoundStatus = 2
const longestLookupMs = 30_000

/**
 * Asks getent(1) and id(1), which know every source that the system is set up with. Each question
 * is asked once: make a new one to see what changed.
 */
export function systemAccounts(): Accounts {
  const answers = new Map<string, string | null>()
  const ask = (program: string, ...words: string[]): string | null => {
    const key = [program, ...words].join('\0')
    const known = answers.get(key)
    if (known !== undefined) return known
    const answer = run(program, words)
    answers.set(key, answer)
    return answer
  }
  return {
    user: (nameOrUid) => userEntryOf(ask('getent', 'passwd', '--', nameOrUid)),
    group: (nameOrGid) => groupEntryOf(ask('getent', 'group', '--', nameOrGid)),
    groupsOf(userName) {
      const line = ask('id', '-G', '--', userName) ?? ''
      return line.split(/\s+/).filter(Boolean).map(Number)
    },
  }
}

/** As they are when the daemon starts; it never changes its own. */
export function selfOf(): Self {
  const { getuid, getgid, getgroups } = process
  return { uid: getuid?.() ?? 0, gid: getgid?.() ?? 0, groups: getgroups?.() ?? [] }
}

/** A line of the passwd format: name, password, uid, gid, description, home, shell. */
export function userEntryOf(line: string | null): UserEntry | null {
  const [name, , uid, gid, , home] = (line ?? '').trimEnd().split(':')
  if (!name || !isId(uid) || !isId(gid)) return null
  return { name, uid: Number(uid), gid: Number(gid), home: home || '/' }
}

/** A line of the group format: name, password, gid, members. */
export function groupEntryOf(line: string | null): GroupEntry | null {
  const [name, , gid] = (line ?? '').trimEnd().split(':')
  return name && isId(gid) ? { name, gid: Number(gid) } : null
}

const isId = (text: string | undefined): text is string => /^\d{1,10}$/.test(text ?? '')

/** What the program prints; null when it says that there is no such entry. */
function run(program: string, words: string[]): string | null {
  let result: SpawnSyncReturns<string>
  try {
    result = spawnSync(program, words, {
      cwd: '/',
      env: { PATH: searchPath, LC_ALL: 'C' },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: longestLookupMs,
      killSignal: 'SIGKILL',
    })
  } catch (error) {
    throw lookupFailure(program, words, codeOf(error), error)
  }
  const { error, status, signal, stdout } = result
  if (error !== undefined) throw lookupFailure(program, words, codeOf(error), error)
  if (status === 0) return stdout
  if (program === 'getent' && status === notFoundStatus) return null
  throw lookupFailure(program, words, signal ?? `exit code ${status}`)
}

function lookupFailure(
  program: string,
  words: string[],
  reason: string,
  cause?: unknown,
): SystemError {
  return new SystemError(
    'KRON_SYSTEM',
    `${program} could not look up ${quote(words.at(-1))}: ${reason}`,
    { field: 'account', value: words.at(-1), program },
    { cause },
  )
}
