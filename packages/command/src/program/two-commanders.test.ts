import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { VirtualClock } from '@kron/runtime/testing'
import { CommanderError } from 'commander'
import { afterAll, describe, expect, it } from 'vitest'
import { memoryOutput } from '../../testing/index.js'
import { type CommandHost, runProgram, withHost } from './index.js'

const folder = mkdtempSync(join(tmpdir(), 'commander-'))
afterAll(() => rmSync(folder, { recursive: true }))

type Commander = typeof import('commander')

/** The same package once more, as npm installs it when two packages can't agree on a version. */
async function secondCommander(): Promise<Commander> {
  const copy = join(folder, 'commander')
  cpSync(dirname(fileURLToPath(import.meta.resolve('commander'))), copy, { recursive: true })
  return (await import(pathToFileURL(join(copy, 'index.js')).href)) as Commander
}

async function run(args: readonly string[]) {
  const { Command } = await secondCommander()
  const { stdout, stderr, output } = memoryOutput()
  const clock = new VirtualClock(0)
  const host: CommandHost = { clock, env: {}, cwd: '/', writeFile: () => {}, stdout, stderr }
  const program = withHost(new Command('tool'), host).version('1.2.3')
  withHost(program.command('start'), host).action(() => {})
  return { exitCode: await runProgram(() => program, args, host), ...output }
}

describe('a program whose commander is another copy than ours', () => {
  it('has a class of errors of its own', async () => {
    expect((await secondCommander()).CommanderError).not.toBe(CommanderError)
  })

  it('shows its help and its version, and succeeds', async () => {
    const help = await run(['--help'])
    expect(help).toMatchObject({ exitCode: 0, stderr: '' })
    expect(help.stdout).toMatch(/^Usage: tool /)
    expect(await run(['--version'])).toMatchObject({ exitCode: 0, stdout: '1.2.3\n', stderr: '' })
  })

  it('calls a mistake in its arguments one of the user', async () => {
    expect(await run(['strat'])).toMatchObject({
      exitCode: 1,
      stderr:
        'tool: unknown command "strat"; did you mean start?\n' +
        'hint: tool --help shows how it is used\n',
    })
  })
})
