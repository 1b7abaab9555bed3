import { constants } from 'node:os'
import { getSystemErrorName } from 'node:util'
import { type ForeignLibrary, foreignLibrary, optionalCall } from '../../native/foreign-library.js'
import type { ExitStatus } from '../processes.js'

/** The calls of the C library that a process is started and waited for with. */
export interface ProcessCalls {
  /** Read and write end. */
  pipe(): readonly [number, number]
  socketPair(): readonly [number, number]
  /**
   * A process with just these descriptors as its 0, 1, 2, ..., in a session of its own. The call
   * waits until the process executes its program, so it runs on another thread.
   */
  spawn(
    program: string,
    argv: readonly string[],
    environment: readonly string[],
    descriptors: readonly number[],
  ): Promise<number>
  /** How our child ended; null while it runs. */
  reap(pid: number): ExitStatus | null
}

/** Large enough for `posix_spawnattr_t`, `posix_spawn_file_actions_t` and `sigset_t` anywhere. */
const opaqueBytes = 512
const closeOnExec = 0o2000000
const unixSocket = 1
const streamSocket = 1
const setSignalDefaults = 0x04
const setSignalMask = 0x08
const setSession = 0x80
const dontWait = 1

/** null where the library for foreign calls does not load. */
export function loadProcessCalls(): ProcessCalls | null {
  const library = foreignLibrary()
  return library === null ? null : processCalls(library)
}

function processCalls(library: ForeignLibrary): ProcessCalls {
  const pipe2 = library.func('int pipe2(_Out_ int *ends, int flags)')
  const socketpair = library.func('int socketpair(int domain, int type, int how, _Out_ int *ends)')
  const waitpid = library.func('int waitpid(int pid, _Out_ int *status, int options)')
  const spawn = spawnCall(library)
  const pair = (name: string, call: (ends: number[]) => number): readonly [number, number] => {
    const ends = [-1, -1]
    if (call(ends) !== 0) throw systemError('EMFILE', name)
    return [ends[0]!, ends[1]!]
  }
  return {
    pipe: () => pair('pipe2', (ends) => pipe2(ends, closeOnExec)),
    socketPair: () =>
      pair('socketpair', (ends) => socketpair(unixSocket, streamSocket | closeOnExec, 0, ends)),
    spawn,
    reap(pid) {
      const status = [0]
      const found = waitpid(pid, status, dontWait)
      if (found === 0) return null
      return found === pid ? exitStatusOf(status[0]!) : { code: null, signal: null }
    },
  }
}

function spawnCall(library: ForeignLibrary): ProcessCalls['spawn'] {
  const posixSpawn = library.func(
    'int posix_spawn(_Out_ int *pid, const char *path, void *actions, void *attributes, const char **argv, const char **environment)',
  )
  const initActions = library.func('int posix_spawn_file_actions_init(void *actions)')
  const addDup = library.func(
    'int posix_spawn_file_actions_adddup2(void *actions, int from, int to)',
  )
  const closeFrom = optionalCall(
    library,
    'int posix_spawn_file_actions_addclosefrom_np(void *actions, int from)',
  )
  const destroyActions = library.func('int posix_spawn_file_actions_destroy(void *actions)')
  const attributes = sessionAttributes(library)
  return async (program, argv, environment, descriptors) => {
    for (const text of [...argv, ...environment]) checkText(text)
    const actions = Buffer.alloc(opaqueBytes)
    check('posix_spawn_file_actions_init', initActions(actions))
    try {
      for (const [to, from] of descriptors.entries()) {
        check('posix_spawn_file_actions_adddup2', addDup(actions, from, to))
      }
      // What this process was given itself, and does not know of, is not for its children.
      closeFrom?.(actions, descriptors.length)
      const pid = [0]
      const words = [...argv, null]
      const variables = [...environment, null]
      const answer = await new Promise<number>((resolve, reject) => {
        const done = (error: unknown, errno: number): void =>
          error ? reject(error) : resolve(errno)
        posixSpawn.async(pid, program, actions, attributes, words, variables, done)
      })
      check(program, answer)
      return pid[0]!
    } finally {
      destroyActions(actions)
    }
  }
}

/** A new session, and no signal blocked or ignored: Node ignores some, which would be inherited. */
function sessionAttributes(library: ForeignLibrary): Buffer {
  const all = Buffer.alloc(opaqueBytes)
  const none = Buffer.alloc(opaqueBytes)
  const attributes = Buffer.alloc(opaqueBytes)
  const call = (definition: string, ...values: unknown[]): void => {
    check(definition, library.func(definition)(...values))
  }
  call('int sigfillset(void *set)', all)
  call('int sigemptyset(void *set)', none)
  call('int posix_spawnattr_init(void *attributes)', attributes)
  call('int posix_spawnattr_setsigdefault(void *attributes, void *set)', attributes, all)
  call('int posix_spawnattr_setsigmask(void *attributes, void *set)', attributes, none)
  const flags = setSignalDefaults | setSignalMask | setSession
  call('int posix_spawnattr_setflags(void *attributes, short flags)', attributes, flags)
  return attributes
}

/** C ends a text at the first zero byte, and would run something else. */
function checkText(text: string): void {
  if (text.includes('\0')) throw systemError('ERR_INVALID_ARG_VALUE', 'a text with a zero byte')
}

function check(call: string, errno: number): void {
  if (errno !== 0) throw systemError(getSystemErrorName(-errno), call)
}

function systemError(code: string, call: string): Error {
  return Object.assign(new Error(`${code}: ${call}`), { code })
}

const signalNames = new Map(
  Object.entries(constants.signals).map(([name, number]) => [number as number, name]),
)

/** As the macros of `sys/wait.h` read it. */
function exitStatusOf(status: number): ExitStatus {
  const signal = status & 0x7f
  if (signal === 0) return { code: (status >> 8) & 0xff, signal: null }
  return { code: null, signal: signalNames.get(signal) ?? `signal ${signal}` }
}
