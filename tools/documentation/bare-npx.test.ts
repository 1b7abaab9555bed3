import { globSync } from 'node:fs'
import type { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { readText, repository } from './documentation-host.js'
import { parserOf, programs } from './shell-commands.js'

/** npx takes a bare name for a package of the registry, and such a package may be a stranger's. */
const bare = new RegExp(`\\bnpx(?: +-(?!p\\b)\\S+)* +(?:${programs.join('|')})\\b(?!/)`, 'g')

const bareIn = (text: string): string[] => text.match(bare) ?? []

const texts = globSync(
  [
    '*.md',
    '{bench,deploy,docs,editors,examples,packages,tools}/**/*.md',
    'packages/*/{man,completions}/**/*',
    'tools/{demo,tour}/*.mjs',
  ],
  { cwd: repository, exclude: (path) => /node_modules|dist|tarballs/.test(String(path)) },
).filter((path) => /\.\w+$/.test(path))

function helpOf(command: Command): string {
  let text = ''
  command.configureOutput({ writeOut: (part) => (text += part) })
  command.outputHelp()
  return [text, ...command.commands.map(helpOf)].join('\n')
}

describe('npx', () => {
  it.each(texts)('is not used with a bare name in %s', (path) => {
    expect(bareIn(readText(path))).toEqual([])
  })

  it.each(programs)('is not used with a bare name in the help of %s', (program) => {
    const help = helpOf(parserOf(program))
    expect(help).toContain(`Usage: ${program}`)
    expect(bareIn(help)).toEqual([])
  })

  it.each([
    ['npx kron runs', true],
    ['`npx krontab`', true],
    ['npx --yes kronctl next', true],
    ['npx -p @kron/krond krontab lint', false],
    ['npx vitest run packages/krond', false],
    ['npx krond/x', false],
  ])('in %j is found: %j', (text, isBare) => {
    expect(bareIn(text).length > 0).toBe(isBare)
  })
})
