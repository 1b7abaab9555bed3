import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CommanderError } from 'commander'
import { afterAll, describe, expect, it } from 'vitest'
import { sampleProgram } from '../../testing/sample-program.js'
import { completionScript, shells } from './index.js'

const folder = mkdtempSync(join(tmpdir(), 'kron-completion-'))
afterAll(() => rmSync(folder, { recursive: true }))
mkdirSync(join(folder, 'jobs'))
for (const name of ['a.krontab', 'two words', '-dash']) writeFileSync(join(folder, name), '')

const script = completionScript(sampleProgram(), 'bash')

const installed = (shell: string): boolean => {
  const found = spawnSync(shell, ['-c', 'exit 0']).status === 0
  if (!found) console.warn(`${shell} is not on this machine: its script is not run`)
  return found
}
const hasBash = installed('bash')
const hasZsh = installed('zsh')
const hasFish = installed('fish')

/** What bash proposes for the last of the words, which may be empty. */
function completed(words: readonly string[], completionType = ''): string[] {
  const body = `${script}
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_TYPE=${completionType}
_sample
((\${#COMPREPLY[@]} == 0)) || printf '%s\\n' "\${COMPREPLY[@]}"`
  const args = ['--noprofile', '--norc', '-c', body, 'bash', 'sample', ...words]
  const { stdout, stderr } = spawnSync('bash', args, { cwd: folder, encoding: 'utf8' })
  expect(stderr).toBe('')
  return stdout.split('\n').filter((line) => line !== '')
}

describe.skipIf(!hasBash)('bash completes', () => {
  const paths = ['a.krontab', 'jobs', 'two words', '-dash']
  it.each<[string[], string[]]>([
    [[''], ['show', 'copy', 'completion']],
    [['s'], ['show']],
    [['se'], []],
    [['-'], ['--version', '--help']],
    [['--v'], ['--version']],
    [['unknown', ''], []],
    [
      ['show', '--'],
      ['--file', '--format', '--count', '--out', '--strict', '--no-color', '--help'],
    ],
    [['show', '--fo'], ['--format']],
    [
      ['show', '--format', ''],
      ['text', 'json'],
    ],
    [['show', '--format', 'j'], ['json']],
    [
      ['show', '--format', '='],
      ['text', 'json'],
    ],
    [['show', '--format', '=', 't'], ['text']],
    [['show', '--format', '=', 'text', '--no'], ['--no-color']],
    [['show', '--count', ''], []],
    [['show', '-n', '-'], []],
    [['show', '-n', '3', '--c'], ['--count']],
    [['show', '-f', ''], paths],
    [['show', '--file', 'j'], ['jobs']],
    [['show', '--out', 't'], ['two words']],
    [['show', ''], paths],
    [['show', 'a.krontab', '--strict', 'a'], ['a.krontab']],
    [['show', '--', '-'], ['-dash']],
    [['show', '-f', 'x', '--', '--f'], []],
    [['copy', ''], []],
    [['copy', 'x', 'a'], ['a.krontab']],
    [['copy', '--level', 'high', 'x', 'a'], ['a.krontab']],
    [
      ['copy', '--level', ''],
      ['low', 'so-so', 'high'],
    ],
    [['copy', '--mode', ''], []],
    [['copy', 'x', 'y', ''], []],
    [['copy', 'show', '--fi'], []],
    [['copy', '"0 3 -x"', 'a'], ['a.krontab']],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [['completion', 'bash', ''], []],
  ])('%j to %j', (words, expected) => {
    expect(completed(words).sort()).toEqual([...expected].sort())
  })

  it('with meanings where it lists several and inserts none', () => {
    expect(completed(['-'], '63')).toEqual([
      "--version       print the program's version",
      '--help          display help for command',
    ])
    expect(completed(['c'], '63')).toEqual([
      'copy            Copy [all] of it: "a" to `b`.',
      'completion      Print a script that completes commands and options in a shell',
    ])
    expect(completed(['-'], '9')).toEqual(['--version', '--help'])
    expect(completed(['--v'], '63')).toEqual(['--version'])
  })

  it('from a script that defines nothing else and is valid', () => {
    expect(spawnSync('bash', ['-n'], { input: script, encoding: 'utf8' })).toMatchObject({
      status: 0,
      stderr: '',
    })
    const names = `${script}\ncompgen -A function; complete -p sample`
    const { stdout } = spawnSync('bash', ['--norc', '-c', names], { encoding: 'utf8', env: {} })
    expect(stdout).toBe('_sample\n_sample_paths\n_sample_propose\ncomplete -F _sample sample\n')
  })
})

describe('the script for zsh', () => {
  const zsh = completionScript(sampleProgram(), 'zsh')

  it('is one that zsh finds by itself', () => {
    expect(zsh).toMatch(/^#compdef sample\n/)
  })

  it.each([
    `'show:Show things'`,
    `'copy:Copy \\[all\\] of it\\: "a" to \`b\`.'`,
    `'*'{-f+,--file=}'[read this; repeatable]:path:_files'`,
    `'--format=[how]:format:(text json)'`,
    `'(-n --count)'{-n+,--count=}'[how many]:number: '`,
    `'--out=[also write a chart]:chart.svg:_files'`,
    `'--strict[be strict]'`,
    `'(-V --version)'{-V,--version}'[print the program'\\''s version]'`,
    `'--level=[low, so-so or high]:level:(low so-so high)'`,
    `'--why=[it'\\''s said]:reason: '`,
    `'*:paths:_files'`,
    `'1:what: '`,
    `'2:to-file:_files'`,
    `'1:shell:(bash zsh fish)'`,
  ])('has %s', (specification) => {
    const words = zsh.split('\n').map((line) => line.trim().replace(/ (?:\\|&& result=0)$/, ''))
    expect(words).toContain(specification)
  })

  it.skipIf(!hasZsh)('is valid', () => {
    expect(spawnSync('zsh', ['-n'], { input: zsh, encoding: 'utf8' })).toMatchObject({
      status: 0,
      stderr: '',
    })
  })
})

describe('the script for fish', () => {
  const fish = completionScript(sampleProgram(), 'fish')
  const inShow = `complete -c sample -n 'contains -- show (commandline -opc)[2]'`
  const inShell = 'contains -- completion (commandline -opc)[2]'

  it.each([
    'complete -c sample -f',
    `complete -c sample -n __fish_use_subcommand -a 'show' -d 'Show things'`,
    `complete -c sample -n __fish_use_subcommand -s V -l version -d 'print the program\\'s version'`,
    `${inShow} -s f -l file -r -F -d 'read this; repeatable'`,
    `${inShow} -l format -x -a 'text json' -d 'how'`,
    `${inShow} -s n -l count -x -d 'how many'`,
    `${inShow} -l strict -d 'be strict'`,
    `${inShow} -F`,
    `complete -c sample -n '${inShell}; and not __fish_seen_subcommand_from bash zsh fish' ` +
      `-a 'bash zsh fish'`,
  ])('has %s', (line) => {
    expect(fish.split('\n')).toContain(line)
  })

  it.skipIf(!hasFish)('is valid', () => {
    expect(spawnSync('fish', ['--no-execute'], { input: fish, encoding: 'utf8' })).toMatchObject({
      status: 0,
      stderr: '',
    })
  })
})

describe('the command completion', () => {
  it.each(shells)('prints the script for %s', (shell) => {
    const written: string[] = []
    const program = sampleProgram((text) => void written.push(text))
    program.parse(['completion', shell], { from: 'user' })
    expect(written).toEqual([completionScript(sampleProgram(), shell)])
    expect(written[0]).toContain('completion')
  })

  it('refuses any other shell, and names those it knows', () => {
    const parse = () => sampleProgram().parse(['completion', 'csh'], { from: 'user' })
    expect(parse).toThrow(CommanderError)
    expect(parse).toThrow('Allowed choices are bash, zsh, fish')
  })
})
