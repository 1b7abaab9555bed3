import { SystemError } from '@kron/core'
import { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { memoryOutput } from '../../testing/index.js'
import { type ExitCode, exitCodes } from './exit-code.js'
import { CommandFailure } from './failure.js'
import { appended, type Done, runProgram, withAlias, withHost, withOutput } from './program.js'

async function run(
  args: readonly string[],
  act: (options: object) => ExitCode | Promise<ExitCode> = () => exitCodes.success,
) {
  const { output, ...streams } = memoryOutput()
  const programFor = (done: Done): Command => {
    const program = withHost(new Command('tool'), streams).helpCommand(false)
    const list = withOutput(program.command('group').command('list'))
      .option('--limit <number>', 'how many', '10')
      .option('-f, --file <path>', 'files', appended)
      .option('--loud', 'shout', false)
      .action((options) => done(act(options)))
    withAlias(withAlias(list, '--count', '--limit'), '--filename', '--file')
    withAlias(list, '--noisy', '--loud')
    return program
  }
  const exitCode = await runProgram(programFor, args, streams)
  return { exitCode, ...output }
}

/** What the command was called with. */
async function optionsOf(...args: string[]): Promise<object> {
  let found: object = {}
  await run(['group', 'list', ...args], (options) => {
    found = options
    return 0
  })
  return found
}

describe('another spelling of an option', () => {
  it('means the same, and is not shown', async () => {
    expect(await optionsOf('--count', '3')).toMatchObject({ limit: '3' })
    expect(await optionsOf('--filename', 'a', '-f', 'b', '--filename', 'c')).toMatchObject({
      file: ['a', 'b', 'c'],
    })
    expect(await optionsOf('--noisy')).toMatchObject({ loud: true })
    expect(await optionsOf()).toMatchObject({ limit: '10', loud: false })
    const { stdout } = await run(['group', 'list', '--help'])
    expect(stdout).not.toMatch(/--count|--filename|--noisy/)
  })
})

describe('the help', () => {
  it('has what a command alone has first, without defaults that go without saying', async () => {
    const { stdout } = await run(['group', 'list', '--help'])
    expect(stdout.split('\n').filter((line) => line.startsWith('  -'))).toEqual([
      expect.stringMatching(/^ {2}--limit <number> +how many \(default: 10\)$/),
      expect.stringMatching(/^ {2}-f, --file <path> +files$/),
      expect.stringMatching(/^ {2}--loud +shout$/),
      expect.stringMatching(/^ {2}--format <format> +text or json \(default: text\)$/),
      expect.stringMatching(/^ {2}--no-color +/),
      expect.stringMatching(/^ {2}-q, --quiet +/),
      expect.stringMatching(/^ {2}-h, --help +show this help$/),
    ])
  })
})

describe('a program that fails', () => {
  it('says it in the voice of all programs, with the path of the command', async () => {
    expect(await run(['group', 'list', '--lmit', '3'])).toMatchObject({
      exitCode: 1,
      stderr:
        'tool: unknown option "--lmit"; did you mean --limit?\n' +
        'hint: tool group list --help shows how it is used\n',
    })
    const later = (error: unknown) => () => Promise.reject(error)
    expect(await run(['group', 'list'], later(new Error('no\u001b[31m')))).toMatchObject({
      exitCode: 4,
      stderr: 'tool: internal error: no\ufffd[31m\nhint: this is a bug, please report it\n',
    })
    const failure = new CommandFailure(exitCodes.unavailable, 'nobody there', ['hint: knock'])
    expect(await run(['group', 'list'], later(failure))).toMatchObject({
      exitCode: 3,
      stderr: 'tool: nobody there\nhint: knock\n',
    })
    const details = { field: 'cluster', hint: 'hint: look' }
    expect(
      await run(['group', 'list'], later(new SystemError('KRON_API', 'refused', details))),
    ).toMatchObject({ exitCode: 3, stderr: 'tool: refused\nhint: look\n' })
  })
})
