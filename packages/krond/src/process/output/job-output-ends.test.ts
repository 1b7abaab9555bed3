import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { ExecutionError } from '@kron/core'
import { VirtualClock } from '@kron/runtime/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openBelow } from '../../../testing/process/open-descriptors.js'
import { sampleStart } from '../../../testing/process/sample-start.js'
import { until } from '../../../testing/process/until.js'
import type { RunSettings, StartRequest } from '../processes.js'
import { systemSpawner } from '../spawn/native-spawner.js'
import { endlessFlow } from './captured-stream.js'
import { type JobOutput, openJobOutput } from './job-output.js'
import { OutputFolder } from './output-folder.js'

let folder = ''
let pipes: OutputFolder
beforeEach(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'kron-ends-')))
  chmodSync(folder, 0o755)
  const ports = { spawner: systemSpawner(), shellPath: '/bin/sh', clock: new VirtualClock(0) }
  pipes = new OutputFolder(join(folder, 'output'), { ...ports, flow: endlessFlow })
  await pipes.open()
})
afterEach(async () => {
  await pipes.close()
  rmSync(folder, { recursive: true })
})

const period = { nominal: 0, chosen: 0 }
const startOf = (settings: Partial<RunSettings>, request: Partial<StartRequest> = { period }) =>
  sampleStart(['true'], settings, request)
const open = (start: StartRequest, loggerPath = '/no/such/logger'): Promise<JobOutput> =>
  openJobOutput(start, { loggerPath, ownUid: process.getuid!(), now: 0, folder: pipes })

const discard = { kind: 'discard' } as const
const inherit = { kind: 'inherit' } as const
const syslog = { kind: 'syslog' } as const
const file = (path: string) => ({ kind: 'file', path: join(folder, path) }) as const

const isFree = (): boolean => readFileSync(join(folder, 'output/owners'), 'utf8').trim() === ''
/** Without the file of owners, which is open as long as its folder is. */
const opened = (): string[] => openBelow(folder).filter((path) => path !== 'output/owners')

async function refusalOf(output: Promise<JobOutput>): Promise<ExecutionError> {
  const error = await output.catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(ExecutionError)
  return error as ExecutionError
}

describe('the ends of the streams of a job', () => {
  it.each([
    ['stdout', { stderr: discard }],
    ['stderr', { stdout: discard }],
  ] as const)('outlive us for %s alone', async (name, settings) => {
    const output = await open(startOf(settings))
    const other = name === 'stdout' ? 'stderr' : 'stdout'
    expect([output[other], output.read[other]]).toEqual(['ignore', null])
    expect(opened()).toEqual(Array(2).fill(`output/0.${name}.pipe`))
    writeSync(output[name] as number, 'said\n')
    output.close()
    expect(await text(output.read[name] as Socket)).toBe('said\n')
    await until(isFree)
    expect(opened()).toEqual([])
  })

  it('end with us for a run outside of any period', async () => {
    const output = await open(startOf({}, { period: null }))
    const { stdout, stderr, read } = output
    expect({ stdout, stderr, read }).toEqual({
      stdout: 'pipe',
      stderr: 'pipe',
      read: { stdout: null, stderr: null },
    })
    output.abandon()
    output.close()
    expect(isFree()).toBe(true)
  })

  it('need no pipes where nothing is read', async () => {
    const output = await open(startOf({ stdout: discard, stderr: file('err.log') }))
    expect([output.stdout, isFree(), opened()]).toEqual(['ignore', true, ['err.log']])
    output.close()
    expect(opened()).toEqual([])
  })

  it('are both let go when there is no process for them', async () => {
    const output = await open(startOf({}))
    expect(opened()).toHaveLength(4)
    output.abandon()
    output.close()
    await until(() => isFree() && opened().length === 0)
    const next = pipes.take({ identity: 'next', nominal: 0 })
    next.give()
    expect(next.number).toBe(0)
  })

  it.each([
    ['a pipe', () => inherit],
    ['a file', () => file('out.log')],
  ])('are let go when stdout is %s and stderr can not be had', async (_, stdoutOf) => {
    const refused = open(startOf({ stdout: stdoutOf(), stderr: file('no/such.log') }))
    expect((await refusalOf(refused)).details).toMatchObject({ field: 'output', errno: 'ENOENT' })
    await until(() => isFree() && opened().length === 0)
    expect(opened()).toEqual([])
  })
})

describe('a stream that can not be read', () => {
  it('is refused by its name', async () => {
    mkdirSync(join(folder, 'output/0.stderr.pipe'))
    const { message, details } = await refusalOf(open(startOf({})))
    expect(message).toBe("stderr can't be read: EISDIR")
    expect(details).toEqual({ field: 'stderr', value: 'inherit', errno: 'EISDIR' })
    await until(() => isFree() && opened().length === 0)
  })

  it('is refused when its folder is closed', async () => {
    await pipes.close()
    const { message, details } = await refusalOf(open(startOf({})))
    expect(message).toBe("output can't be read: unknown")
    expect(details).toEqual({ field: 'output', value: 'inherit', errno: 'unknown' })
  })
})

describe('the logger of a stream', () => {
  function makeLogger(script: string): string {
    const path = join(folder, 'logger')
    writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
    return path
  }

  const running = (): number =>
    process.getActiveResourcesInfo().filter((kind) => kind === 'ProcessWrap').length

  it('has nothing of ours, and ends when the last who writes is gone', async () => {
    const log = join(folder, 'log')
    const tell = `{ pwd; echo "$KRON_OF_THIS_TEST"; cut -d ' ' -f 1,6 /proc/$$/stat; }`
    const logger = makeLogger(`${tell} >${log}; cat >>${log}; mv ${log} ${log}.ended`)
    process.env['KRON_OF_THIS_TEST'] = 'secret'
    const before = running()
    const output = await open(startOf({ stdout: discard, stderr: syslog }), logger)
    delete process.env['KRON_OF_THIS_TEST']
    expect(running()).toBeLessThanOrEqual(before)
    output.close()
    await until(() => existsSync(`${log}.ended`))
    const [cwd, variable, session] = readFileSync(`${log}.ended`, 'utf8').split('\n')
    const [pid, leader] = session!.split(' ')
    expect([cwd, variable, leader]).toEqual(['/', '', pid])
  })

  it('ends also when the other stream can not be had', async () => {
    const ended = join(folder, 'ended')
    const logger = makeLogger(`cat; : >${ended}`)
    await refusalOf(open(startOf({ stdout: syslog, stderr: file('no/such.log') }), logger))
    await until(() => existsSync(ended))
    expect(opened()).toEqual([])
  })

  it.each(['stdout', 'stderr'] as const)('that is missing is told for %s', async (stream) => {
    const settings = { stdout: discard, stderr: discard, [stream]: syslog }
    const { message, details, cause } = await refusalOf(open(startOf(settings)))
    expect(message).toBe(`${stream}=syslog needs /no/such/logger, which did not start: ENOENT`)
    expect(details).toEqual({ field: stream, value: 'syslog', errno: 'ENOENT' })
    expect(cause).toMatchObject({ code: 'ENOENT' })
  })
})
