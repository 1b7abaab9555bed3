import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { ExecutionError, SystemError } from '@kron/core'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import {
  describeProcesses,
  type JobUnderTest,
} from '../../testing/process/processes-conformance.js'
import { runToEnd, sampleStart } from '../../testing/process/sample-start.js'
import { selfOf } from './accounts/system-accounts.js'
import type { StartRequest } from './processes.js'
import { systemSpawner } from './spawn/native-spawner.js'
import { nodeSpawner } from './spawn/spawner.js'
import { systemProcesses } from './system-processes.js'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'kron-process-')))
chmodSync(folder, 0o755)
afterAll(() => rmSync(folder, { recursive: true }))

function file(name: string, text: string, mode = 0o755): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  chmodSync(path, mode)
  return path
}

const badInterpreter = file('bad-interpreter', '#!/no/such/interpreter\n')
const badBinary = file('bad-binary', '\u007fELF and then nothing of the kind\0\0')
const bareScript = file('bare-script', 'echo bare "$1"; exit 126\n')
const notExecutable = file('not-executable', '#!/bin/sh\n', 0o644)

const bash = '/bin/bash'
const spawner = systemSpawner()
const shells = [
  { shell: '/bin/sh', shellPath: '/bin/sh', spawner },
  { shell: "/bin/sh, spawned Node's way", shellPath: '/bin/sh', spawner: nodeSpawner },
]
if (existsSync(bash)) {
  const shellPath = join(folder, 'sh')
  symlinkSync(bash, shellPath)
  shells.push({ shell: 'bash as sh', shellPath, spawner })
} else console.warn(`bash as the shell of gates is not tested: there is no ${bash}`)

let markers = 0

function commandOf(job: JobUnderTest, marker: string): [string, ...string[]] {
  const shell = (text: string): [string, ...string[]] => ['/bin/sh', '-c', text, 'job', marker]
  switch (job.kind) {
    case 'exits':
      return shell(`echo x >>"$1"; exit ${job.code}`)
    case 'stays':
      return shell('echo x >>"$1"; exec sleep 1000')
    case 'ignores-term':
      return shell('trap "" TERM; echo x >>"$1"; echo ignoring; exec sleep 1000')
    case 'not-executable':
      return [badInterpreter]
    case 'missing':
      return ['/no/such/command']
  }
}

for (const { shell, ...ports } of shells) {
  describeProcesses(`processes behind ${shell}`, () => {
    const marker = join(folder, `marker-${markers++}`)
    return {
      processes: systemProcesses(ports),
      start: (job, onLine = () => {}) => sampleStart(commandOf(job, marker), {}, { onLine }),
      executions: () => (existsSync(marker) ? readFileSync(marker, 'utf8').length / 2 : 0),
      passTime: (work) => work,
    }
  })
}

describe.each(shells)('a job behind $shell', ({ shell, ...ports }) => {
  const processes = systemProcesses(ports)
  const run = (start: StartRequest) => runToEnd(processes, start)

  it('has the environment that is described, and nothing else', async () => {
    const { username, homedir } = userInfo()
    const period = { nominal: Date.UTC(2026, 2, 1, 2), chosen: Date.UTC(2026, 2, 1, 2, 32, 20) }
    const env = { LANG: 'C', PATH: '/usr/bin:/bin', KRON_NAME: 'mine', EMPTY: '' }
    const { stdout } = await run(sampleStart(['env', '-0'], { env, cwd: '/tmp' }, { period }))
    const byShell = shell === '/bin/sh' ? /^\0?(PWD)=/ : /^(PWD|SHLVL|_)=/
    const variables = stdout.join('\n').split('\0').filter(Boolean)
    expect(variables.filter((text) => !byShell.test(text)).sort()).toEqual(
      [
        'EMPTY=',
        `HOME=${homedir}`,
        'KRON_CHOSEN_TIME=2026-03-01T02:32:20Z',
        'KRON_IDENTITY=/etc/krond.d/a.krontab:sample',
        'KRON_NAME=sample',
        'KRON_NOMINAL_TIME=2026-03-01T02:00:00Z',
        'KRON_PERIOD_ID=2026-03-01T02:00:00Z',
        'LANG=C',
        `LOGNAME=${username}`,
        'PATH=/usr/bin:/bin',
        'SHELL=/bin/sh',
        `USER=${username}`,
      ].sort(),
    )
    expect(variables).toContain('PWD=/tmp')
  })

  it('gets words and variables as they are, whatever a shell would make of them', async () => {
    const text = fc.string({ unit: 'binary', maxLength: 40 }).map((t) => t.replaceAll('\0', ''))
    const awkward = fc.constantFrom('$(id)', '`id`', "'", '"', '\\', '*', '-', '--', '', ' \n\t ')
    const word = fc.oneof(text, awkward).map((t) => Buffer.from(t).toString())
    const script = 'printf "%s\\0" "$@" "$VALUE"'
    await fc.assert(
      fc.asyncProperty(fc.array(word, { maxLength: 5 }), word, async (words, value) => {
        const out = join(folder, `words-${shell.length}`)
        const start = sampleStart(['/bin/sh', '-c', script, 'job', ...words], {
          env: { VALUE: value },
          stdout: { kind: 'file', path: out },
        })
        expect((await run(start)).exit).toEqual({ code: 0, signal: null })
        expect(readFileSync(out, 'utf8')).toBe([...words, value, ''].join('\0'))
        rmSync(out)
      }),
      { numRuns: 40, seed: 16 },
    )
  })

  it('has no descriptors but its three', async () => {
    const list = ['ls', '/proc/self/fd'] as const
    // Some test runners leave descriptors open that every child gets.
    const leaked = spawnSync(list[0], [list[1]], { encoding: 'utf8' }).stdout.trim().split('\n')
    const { stdout } = await run(sampleStart(list))
    expect(stdout).toEqual(expect.arrayContaining(['0', '1', '2']))
    expect(stdout.filter((fd) => !leaked.includes(fd))).toEqual([])
  })

  it('leads a session and process group of its own', async () => {
    const { stdout, pid } = await run(sampleStart(['cat', '/proc/self/stat']))
    const fields = stdout[0]!.split(' ')
    expect(fields[0]).toBe(`${pid}`)
    expect(fields.slice(4, 6)).toEqual([`${pid}`, `${pid}`])
  })

  it('has its umask and folder', async () => {
    const cwd = join(folder, 'a folder; with $strange "name"')
    mkdirSync(cwd, { recursive: true })
    const words = ['/bin/sh', '-c', 'umask; pwd -P'] as const
    const { stdout } = await run(sampleStart(words, { umask: 0o027, cwd }))
    expect(stdout).toEqual(['0027', cwd])
    const other = await run(sampleStart(words, { umask: 0 }))
    expect(other.stdout).toEqual(['0000', '/'])
  })

  it('is read by a shell only when it asks for one, which may be its own', async () => {
    const command = { kind: 'shell', text: 'echo "$0 $((1 + 1))" | cat; exit 9' } as const
    const { stdout, exit } = await run(sampleStart(['unused'], { command }))
    expect({ stdout, exit }).toEqual({ stdout: ['/bin/sh 2'], exit: { code: 9, signal: null } })
    const env = { SHELL: '/bin/echo' }
    const own = await run(
      sampleStart(['unused'], { command: { kind: 'shell', text: '$HOME' }, env }),
    )
    expect(own.stdout).toEqual(['-c $HOME'])
  })

  it('reads its input and then the end, or nothing at all', async () => {
    const stdin = `first\n${'x'.repeat(300_000)}\nlast`
    const { stdout } = await run(sampleStart(['wc', '-c'], { stdin }))
    expect(stdout).toEqual([`${stdin.length}`])
    const none = await run(sampleStart(['wc', '-c']))
    expect(none.stdout).toEqual(['0'])
    const unread = await run(sampleStart(['true'], { stdin: 'y'.repeat(1_000_000) }))
    expect(unread.exit).toEqual({ code: 0, signal: null })
  })

  it.each([
    ['a script whose interpreter is missing', [badInterpreter], /bad-interpreter.*interpreter/],
    ['a broken binary', [badBinary], /bad-binary.*Exec format error/],
  ] as const)('is reported as not executed when it is %s', async (_, words, reason) => {
    const report = await run(sampleStart(words))
    expect(report.release).toEqual({ kind: 'not-executed', reason: expect.stringMatching(reason) })
    expect(report.stdout.concat(report.stderr)).toEqual([])
    const silent = await run(sampleStart(words, { stderr: { kind: 'discard' } }))
    expect(silent.release).toMatchObject({
      kind: 'not-executed',
      reason: expect.stringContaining(words[0]),
    })
  })

  it('may be found in a PATH, whatever that has in it', async () => {
    const odd = join(folder, 'two\nlines')
    mkdirSync(odd, { recursive: true })
    const env = { PATH: `/no/such:${odd}:/usr/bin:/bin` }
    expect(await run(sampleStart(['id', '-u'], { env }))).toMatchObject({ exit: { code: 0 } })
    writeFileSync(join(odd, 'own'), '#!/bin/sh\necho own\n', { mode: 0o755 })
    expect(await run(sampleStart(['own'], { env }))).toMatchObject({ stdout: ['own'] })
  })

  it('has no gate when it is a text that only a shell would execute, wherever it is', async () => {
    const env = { PATH: `${folder}:/bin` }
    for (const [words, settings] of [
      [[bareScript, 'word'], {}],
      [['./bare-script'], { cwd: folder }],
      [['bare-script'], { env }],
      [[file('empty', '')], {}],
    ] as const) {
      const prepared = processes.prepare(sampleStart(words, settings))
      await expect(prepared).rejects.toBeInstanceOf(ExecutionError)
      const message = `command "${words[0]}" can not be executed: it is neither a program nor`
      await expect(prepared).rejects.toThrow(message)
    }
  })

  it.each([
    ['a path that does not exist', ['/no/such'], 'command "/no/such" does not exist'],
    ['a name in no folder', ['no-such-command'], "is in no folder of the job's PATH"],
    ['a folder', ['/tmp'], 'command "/tmp" is a folder'],
    ['not executable', [notExecutable], "is not a file that the job's user may execute"],
    ['an option', ['-c'], 'command can\'t be "-c"'],
    ['empty', [''], 'command can\'t be ""'],
    ['given a zero byte', ['/bin/echo', 'a\0b'], "can't be a command: ERR_INVALID_ARG_VALUE"],
    ['given too much', ['/bin/echo', 'x'.repeat(200_000)], 'too long: E2BIG'],
  ] as const)('has no gate when its command is %s', async (_, words, message) => {
    const prepared = processes.prepare(sampleStart(words))
    await expect(prepared).rejects.toBeInstanceOf(ExecutionError)
    await expect(prepared).rejects.toThrow(message)
  })

  it.each([
    [{ cwd: '/no/such/folder' }, 'cwd "/no/such/folder" is not a folder'],
    [{ cwd: '/etc/passwd' }, 'cwd "/etc/passwd" is not a folder'],
    [{ cwd: 'relative' }, 'cwd must be an absolute path, got "relative"'],
    [{ env: { 'a-b': '1' } }, 'the environment can\'t have "a-b"'],
    [{ env: { krond_gate_line: '1' } }, 'not beginning with krond_gate_'],
    [{ env: { A: 'b\0' } }, 'the variable A has a zero byte'],
  ])('has no gate when its settings are %j', async (settings, message) => {
    const prepared = processes.prepare(sampleStart(['/bin/true'], settings))
    await expect(prepared).rejects.toBeInstanceOf(ExecutionError)
    await expect(prepared).rejects.toThrow(message)
  })

  it('is given up by a gate that ends by itself, without a signal', async () => {
    const gate = await processes.prepare(sampleStart(['/bin/true']))
    gate.abandon()
    expect(await gate.exited).toEqual({ code: 0, signal: null })
  })

  it('is checked to be told from one that could not be executed', async () => {
    await expect(processes.checkGate()).resolves.toBeUndefined()
  })
})

describe('a start that is refused', () => {
  const processes = systemProcesses()
  const allowedFolder = 'an absolute path'

  it.each([
    [sampleStart(['-c']), 'command', '-c', 'a path, or a name that does not begin with -'],
    [sampleStart(['id'], { cwd: 'relative' }), 'cwd', 'relative', allowedFolder],
    [sampleStart(['id'], { cwd: '/tmp\0/x' }), 'cwd', '/tmp\0/x', allowedFolder],
  ])('names what is wrong, and what is allowed', async (start, field, value, allowed) => {
    await expect(processes.prepare(start)).rejects.toMatchObject({
      code: 'KRON_EXECUTION',
      details: { field, value, allowed },
    })
  })

  it('keeps nothing of the output that was opened for it', async () => {
    const outputFolder = join(folder, 'output')
    const kept = systemProcesses({ outputFolder })
    await kept.output!.open()
    const period = { nominal: 0, chosen: 0 }
    const refused = async (): Promise<void> => {
      const prepared = kept.prepare(sampleStart(['/bin/echo', 'a\0b'], {}, { period }))
      await expect(prepared).rejects.toThrow("can't be a command")
      await new Promise((resolve) => setImmediate(resolve))
    }
    await refused()
    const open = (): number => readdirSync('/proc/self/fd').length
    const before = open()
    for (let n = 0; n < 5; n++) await refused()
    expect(open()).toBeLessThanOrEqual(before)
    await kept.output!.close()
  })
})

describe('a job whose user has no folder', () => {
  it.each(['tmp', '', '/no/such/folder'])('runs in the root folder: %j', async (home) => {
    const account = { ...selfOf(), name: 'self', home }
    const start = sampleStart(['/bin/pwd'], { account, cwd: null })
    expect((await runToEnd(systemProcesses(), start)).stdout).toEqual(['/'])
  })
})

describe('a machine', () => {
  it.each([
    ['/no/such/shell', /can't be started: ENOENT/],
    ['/bin/true', /the gate ended before it was ready: exit code 0/],
    ['/bin/false', /the gate ended before it was ready: exit code 1/],
  ])('with %s for a shell is not fit for jobs', async (shellPath, message) => {
    const check = systemProcesses({ shellPath }).checkGate()
    await expect(check).rejects.toBeInstanceOf(SystemError)
    await expect(check).rejects.toThrow(message)
  })

  it('whose shell does not report a failed exec is not fit for jobs', async () => {
    const shellPath = file(
      'silent-shell',
      '#!/bin/sh\nprintf "ready\\n" >&3; read x <&3; printf "going\\n" >&3\n',
    )
    const check = systemProcesses({ shellPath }).checkGate()
    await expect(check).rejects.toThrow('does not report a command that can not be executed')
  })

  it('kills a gate that is never ready, and one that never goes', async () => {
    const deaf = file('deaf-shell', '#!/bin/sh\nexec sleep 1000\n')
    const hasty = { readyMs: 50, endMs: 10 }
    const late = systemProcesses({ shellPath: deaf, limits: hasty }).prepare(
      sampleStart(['/bin/true']),
    )
    await expect(late).rejects.toThrow('the gate was not ready within 50 ms')
    await expect(late).rejects.toBeInstanceOf(SystemError)
    const stuck = file('stuck-shell', '#!/bin/sh\nprintf "ready\\n" >&3; exec sleep 1000\n')
    const processes = systemProcesses({ shellPath: stuck, limits: { execMs: 50, endMs: 10 } })
    const gate = await processes.prepare(sampleStart(['/bin/true']))
    expect(await gate.release()).toEqual({
      kind: 'not-executed',
      reason: 'the gate ended before it was released: SIGKILL',
    })
    const abandoned = await processes.prepare(sampleStart(['/bin/true']))
    abandoned.abandon()
    expect(await abandoned.exited).toEqual({ code: null, signal: 'SIGKILL' })
  })

  it('has as many descriptors open after many starts as before', async () => {
    const processes = systemProcesses()
    const open = (): number => readdirSync('/proc/self/fd').length
    await runToEnd(processes, sampleStart(['/bin/true']))
    const before = open()
    const log = { kind: 'file', path: join(folder, 'many.log') } as const
    for (let n = 0; n < 10; n++) {
      await runToEnd(processes, sampleStart(['/bin/true'], { stdin: 'x', stdout: log }))
      await runToEnd(processes, sampleStart([badInterpreter], { stderr: log }))
      await expect(processes.prepare(sampleStart(['/no/such']))).rejects.toThrow('does not exist')
      const abandoned = await processes.prepare(sampleStart(['/bin/true'], { stdin: 'x' }))
      abandoned.abandon()
      await abandoned.exited
    }
    expect(open()).toBeLessThanOrEqual(before)
  })
})
