import { existsSync, globSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseKrontab } from '../../packages/krond/src/krontab/index.js'
import { decodeState, migrations } from '../../packages/krond/src/state/index.js'
import { type CodeBlock, codeBlocks } from './code-blocks.js'
import { fixtures, readText, repository } from './documentation-host.js'
import { sampleLog } from './sample-log.js'
import { refusalOf, shellCommands } from './shell-commands.js'

const documents = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'editors/README.md',
  'deploy/README.md',
  ...globSync(['packages/*/{README,ARCHITECTURE}.md', 'examples/*/README.md'], { cwd: repository }),
  ...globSync(['docs/*.md', 'tools/*/*.md'], { cwd: repository }),
]

const blocksOf = (document: string, info: string): CodeBlock[] =>
  codeBlocks(readText(document)).filter((block) => block.info === info)

describe.each(documents)('%s', (document) => {
  it('has only commands and options in its shell blocks that exist', () => {
    const refused = shellCommands(readText(document)).flatMap((command) => {
      const refusal = refusalOf(command)
      return refusal === null ? [] : [`line ${command.line}: ${refusal}`]
    })
    expect(refused).toEqual([])
  })

  it('has only krontab lines that are valid', () => {
    for (const { lines, line } of blocksOf(document, 'krontab')) {
      const { jobs, problems } = parseKrontab(lines.join('\n'), '/etc/krond.d/a.krontab')
      expect(
        problems.map((problem) => `line ${line + problem.line - 1}: ${problem.message}`),
      ).toEqual([])
      expect(jobs).not.toHaveLength(0)
    }
  })

  it('has only tables whose rows have all their cells', () => {
    const cellsOf = (row: string): number => row.split(/(?<!\\)\|/).length
    const lines = readText(document).split('\n')
    const torn = lines.flatMap((line, index) => {
      const isRow = line.startsWith('|') && !/^\|[ :|-]+\|$/.test(line)
      const next = lines[index + 1] ?? ''
      if (!isRow || !next.startsWith('|')) return []
      return cellsOf(line) === cellsOf(next) ? [] : [`line ${index + 1}`]
    })
    expect(torn).toEqual([])
  })

  it('has only links to files and headings that exist', () => {
    const targets = [...readText(document).matchAll(/\]\(([^)\s]+)\)/g)].map(
      ([, target]) => target!,
    )
    const broken = targets.filter(
      (target) => !/^https?:/.test(target) && !leadsTo(document, target),
    )
    expect(broken).toEqual([])
  })
})

describe.each(['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md'])('%s', (document) => {
  it('names only files and folders that exist', () => {
    const named = /`((?:packages|tools|docs|simulation|bench|deploy|editors|examples)\/[\w./-]*)`/g
    const paths = [...readText(document).matchAll(named)].map(([, path]) => path!)
    expect(paths.filter((path) => !existsSync(join(repository, path)))).toEqual([])
  })
})

function leadsTo(document: string, target: string): boolean {
  const [path = '', heading] = target.split('#')
  const file = path === '' ? document : join(dirname(document), path)
  if (!existsSync(join(repository, file))) return false
  return heading === undefined || headingsOf(readText(file)).includes(heading)
}

/** The names that GitHub gives to headings. */
function headingsOf(markdown: string): string[] {
  return [...markdown.matchAll(/^#+ (.*)$/gm)].map(([, text]) =>
    text!
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

describe('commands of the documentation', () => {
  const shell = (...lines: string[]) => shellCommands(['```sh', ...lines, '```'].join('\n'))

  it('of kron are found, also over several lines and after npx', () => {
    const found = shell(
      'kron jobs',
      'npx -p @kron/server kron endpoints create a \\',
      '  --job b',
      'curl x | kron runs',
    )
    expect(found.map(({ line, program, words }) => [line, program, words.join(' ')])).toEqual([
      [2, 'kron', 'jobs'],
      [3, 'kron', 'endpoints create a --job b'],
      [5, 'kron', 'runs'],
    ])
    const documented = shellCommands(readText('docs/server.md'))
    expect(documented.filter(({ program }) => program === 'kron').length).toBeGreaterThan(10)
  })

  it.each([
    ['kron jobs create shop', null],
    ['kron runs --follow', null],
    ['kron serve --role worker --port 9100', null],
    ['kron serve --prot 1', /unknown option/],
    ['kron jobs create', /missing required argument/],
    ['kron endpoints crate x', /too many arguments|unknown/],
    ['kron jbos', /unknown command/],
  ])('%s is taken or refused as by kron itself', (line, refusal) => {
    const [command] = shell(line)
    if (refusal === null) expect(refusalOf(command!)).toBeNull()
    else expect(refusalOf(command!)).toMatch(refusal)
  })
})

describe('docs/krond.md', () => {
  it('shows a state file that krond reads', () => {
    const [block] = blocksOf('docs/krond.md', 'json state')
    const bytes = new TextEncoder().encode(block!.lines.join('\n'))
    const { Identity: identity } = JSON.parse(block!.lines.join('\n')) as { Identity: string }
    const decoded = decodeState(bytes, { file: 'docs/krond.md', identity, migrations })
    expect(decoded).toMatchObject({ kind: 'state' })
  })

  it('shows lines of a log that krond wrote', async () => {
    const lines = readText(`${fixtures}/krond.jsonl`).split('\n')
    // What happens in the same instant is written in any order.
    expect(lines.toSorted()).toEqual((await sampleLog()).split('\n').toSorted())
    const shown = blocksOf('docs/krond.md', 'jsonl').flatMap((block) => block.lines)
    expect(shown).not.toHaveLength(0)
    for (const line of shown) expect(lines).toContain(line)
  })
})

describe('a command in a shell block', () => {
  const refusals = (...lines: string[]): (string | null)[] =>
    shellCommands(['```sh', ...lines, '```'].join('\n')).map(refusalOf)

  it('is found behind sudo, npx and pipes, and not in comments', () => {
    const lines = [
      'sudo krond start',
      'npx -p @kron/krond krontab lint # krond none',
      'cat a | krond audit -',
    ]
    expect(refusals(...lines, 'systemctl reload krond', '# krond nonsense')).toEqual([
      null,
      null,
      null,
    ])
  })

  it.each([
    ['krond begin', "unknown command 'begin'"],
    ['krond start --fast', "unknown option '--fast'"],
    ['krond run', "missing required argument 'job'"],
    ['krontab add "* * * * *" --command x', "required option '--name <id>' not specified"],
    ['krond stop now', 'too many arguments'],
  ])('is refused when it is %j', (line, reason) => {
    expect(refusals(line)).toEqual([expect.stringContaining(reason)])
  })
})
