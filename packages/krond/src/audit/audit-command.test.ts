import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exitCodeOf } from '@kron/command'
import { ConfigurationError, SystemError } from '@kron/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { honestLog } from '../../testing/audit/honest-log.js'
import { memoryHost } from '../../testing/command/memory-host.js'
import { Invocation } from '../command/invocation.js'
import { auditCommand } from './audit-command.js'

const from = Date.UTC(2026, 2, 27)
const log = await honestLog({ seed: 3, from, hours: 48, crashChance: 0.2 })
const text = `${log.join('\n')}\n`

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'kron-audit-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

interface Run {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

/** Writes the files into a folder of their own and audits those that are named. */
async function audit(
  files: Readonly<Record<string, string | Uint8Array>>,
  paths = Object.keys(files),
  format = 'text',
): Promise<Run> {
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
  const host = memoryHost({ now: from, cwd: folder })
  const exitCode = await auditCommand(new Invocation(host, { format, color: false }), paths)
  return { exitCode, ...host.output }
}

const twice = (): string[] => {
  const at = log.findIndex((line) => line.includes('"event":"started"'))
  return log.toSpliced(at + 1, 0, log[at]!)
}

describe('krond audit', () => {
  it('says what it checked and that all rules hold', async () => {
    const { exitCode, stdout, stderr } = await audit({ 'krond.log': text })
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(stdout).toMatch(/^[\d,]+ lines, \d+ daemon runs, 7 jobs\n\d+ decisions recomputed/)
    expect(stdout).toContain('holds   no period is executed more than once\n')
    expect(stdout).not.toContain('broken')
    expect(stdout).toMatch(/\nno violation\n$/)
  })

  it('shows every violation with its place, and ends with 3', async () => {
    const { exitCode, stdout } = await audit({ 'krond.log': twice().join('\n') })
    expect(exitCode).toBe(3)
    expect(stdout).toMatch(
      /^krond\.log:\d+: executed_twice: executed again\n {2}started \/etc\/krond.d\/a:job-\d 2026/,
    )
    expect(stdout).toContain('broken  no period is executed more than once (executed_twice: 1)\n')
    expect(stdout).toMatch(/\n1 violation\n$/)
  })

  it('has the whole report as JSON', async () => {
    const { exitCode, stdout } = await audit({ 'krond.log': twice().join('\n') }, undefined, 'json')
    expect(exitCode).toBe(3)
    expect(JSON.parse(stdout)).toMatchObject({
      lines: log.length + 1,
      violation_count: 1,
      violations_by_rule: { executed_twice: 1 },
      violations: [{ file: 'krond.log', event: 'started', rule: 'executed_twice' }],
    })
  })

  it('reads rotated logs as one, in the order of their time', async () => {
    const half = Math.floor(log.length / 2)
    const files = {
      'krond.log': log
        .slice(half)
        .map((line) => `${line}\n`)
        .join(''),
      'krond.log.1': log
        .slice(0, half)
        .map((line) => `${line}\n`)
        .join(''),
    }
    const whole = await audit({ 'whole.log': text }, undefined, 'json')
    const parts = await audit(files, undefined, 'json')
    expect(JSON.parse(parts.stdout)).toEqual(JSON.parse(whole.stdout))
  })

  it('counts the lines of each log by itself', async () => {
    const start = `${log[0]}\n`
    const other = start.replace(/"pid":\d+/, '"pid":7')
    const files = { 'a.log': start + other, 'b.log': `${start}nonsense\n` }
    const { stdout } = await audit(files)
    expect(stdout).toMatch(/^b\.log:2: line: /)
  })

  it('takes a last line without its end as one that is still being written', async () => {
    const { exitCode, stdout } = await audit({ 'krond.log': `${text}{"time":"2026-0` })
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/\d+ torn by a crash or still being written\n/)
    const whole = await audit({ 'krond.log': log.join('\n') }, undefined, 'json')
    expect(JSON.parse(whole.stdout)).toMatchObject({ lines: log.length, violation_count: 0 })
  })

  it('says that an empty log proves nothing', async () => {
    expect((await audit({ 'empty.log': '' })).stdout).toContain('it proves nothing\n')
  })

  it.each([
    ['text', '2026-03-27T00:00:00.000Z level=info component=krond event=start version=0.1.0\n'],
    ['text without an end', '2026-03-27T00:00:00.000Z level=info component=krond'],
    ['a journal', `${log.map((line) => `Mar 27 00:00:00 host krond[1]: ${line}`).join('\n')}\n`],
  ])('refuses a log of %s, and says how to get one that it can read', async (_, content) => {
    const refused = audit({ 'text.log': content })
    await expect(refused).rejects.toMatchObject({
      code: 'KRON_ARGUMENT_INVALID',
      message: expect.stringMatching(/^text\.log is not a JSON log.*krond start --format json/),
    })
    await expect(refused.catch(exitCodeOf)).resolves.toBe(1)
    const both = { 'krond.log': text, 'text.log': content }
    await expect(audit(both)).rejects.toThrow(/text\.log is not a JSON log/)
  })

  it('says what could not be proved', async () => {
    const line = log.findIndex((text) => text.includes('"event":"completed"'))
    const { time } = JSON.parse(log[line]!)
    const dropped = { time, level: 'warn', component: 'krond', event: 'log_dropped', own: 4 }
    const lines = log.toSpliced(line, 4, JSON.stringify(dropped))
    const { exitCode, stdout } = await audit({ 'krond.log': `${lines.join('\n')}\n` })
    expect(exitCode).toBe(0)
    expect(stdout).toContain('\ncould not be proved: 4 lines dropped, as the log says\n')
    expect(stdout).toMatch(/\nno violation\n$/)
  })

  it('survives bytes that are no text and lines without an end', async () => {
    const noise = Uint8Array.from({ length: 6 * 1024 * 1024 }, (_, index) => (index % 9) + 200)
    await expect(audit({ 'noise.log': noise })).rejects.toThrow(/is not a JSON log/)
    const ended = Buffer.concat([noise, Buffer.from(`\n${text}`)])
    const report = JSON.parse((await audit({ 'noise.log': ended }, undefined, 'json')).stdout)
    expect(report).toMatchObject({
      lines: log.length + 1,
      violation_count: 0,
      torn: expect.any(Number),
    })
  })

  it('shows nothing that a terminal would obey', async () => {
    const line = JSON.stringify({
      ...JSON.parse(log[0]!),
      event: 'trigger',
      identity: '\u001b[2J\u202e',
      period_id: '2026-03-27T00:00:00Z',
      verdict: '\u001b]0;x\u0007',
      late_ms: 0,
      judged_at: '2026-03-27T00:00:00.000Z',
    })
    const { stdout } = await audit({ 'krond.log': `${log[0]}\n${line}\n` })
    expect(stdout).toContain('undecided')
    for (const control of ['\u001b', '\u202e', '\u0007']) expect(stdout).not.toContain(control)
  })

  it('refuses a log that it can not read, with its name', async () => {
    await expect(audit({ 'krond.log': text }, ['absent.log'])).rejects.toThrow(SystemError)
    await expect(audit({ 'krond.log': text }, ['absent.log'])).rejects.toMatchObject({
      code: 'KRON_FILE_UNREADABLE',
      message: "can't read absent.log: no such file",
    })
    await expect(audit({}, [folder])).rejects.toMatchObject({ code: 'KRON_FILE_UNREADABLE' })
    await expect(audit({}, [])).rejects.toThrow(ConfigurationError)
    await expect(audit({}, ['-', '-'])).rejects.toThrow(ConfigurationError)
  })

  it('reads standard input, and shows on a terminal how far it is', async () => {
    const host = memoryHost({ now: from, isTerminal: true, env: { NO_COLOR: '1' } })
    let reads = 0
    const ticking = { ...host, clock: { now: () => new Date(from + 600 * reads++) } }
    const opened: string[] = []
    const exitCode = await auditCommand(
      new Invocation(ticking, { format: 'text', color: true }),
      ['-'],
      async function* (path) {
        opened.push(path)
        const bytes = Buffer.from(text)
        for (let at = 0; at < bytes.length; at += 10_000) yield bytes.subarray(at, at + 10_000)
      },
    )
    expect({ exitCode, opened }).toEqual({ exitCode: 0, opened: ['-'] })
    expect(host.output.stderr).toMatch(/^\rauditing: \d+ lines/)
    expect(host.output.stderr.endsWith('\r\u001b[K')).toBe(true)
  })
})
