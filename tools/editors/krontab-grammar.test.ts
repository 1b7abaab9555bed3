import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type KronError, parseSchedule } from '@kron/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { modifierNames } from '../../packages/core/src/schedule/modifier.js'
import { parseKrontab } from '../../packages/krond/src/krontab/index.js'
import { fieldNames } from '../../packages/krond/src/krontab/job-fields.js'
import { linesOf } from '../../packages/krond/src/krontab/lines.js'
import { codeBlocks } from '../documentation/code-blocks.js'
import { editorFiles } from './editor-files.ts'
import { krontabLines } from './krontab-lines.ts'
import { krontabTokenizer } from './tokenizer.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const tokenize = await krontabTokenizer(editorFiles.get('krontab.tmLanguage.json')!)

const isTaken = (line: string): boolean => parseKrontab(line, '/a.krontab').problems.length === 0

/** What is shown in red. */
const refusedIn = (line: string): string[] =>
  tokenize(line)
    .filter(({ scopes }) => scopes.some((scope) => scope.startsWith('invalid.')))
    .map(({ text }) => text)

/** The scope of the first piece of a line with that text. */
function scopeOf(line: string, text: string): string | undefined {
  return tokenize(line)
    .find((token) => token.text === text)
    ?.scopes.at(-1)
}

/** What a parser says it would have taken. */
function allowedBy(schedule: string): string[] {
  try {
    parseSchedule(schedule)
  } catch (error) {
    const { allowed, reason } = (error as KronError).details
    return String(allowed ?? reason).match(/@?\b[a-zA-Z]+\b(?=[,= )]|$)/g) ?? []
  }
  throw new Error(`${schedule} is taken`)
}

const documented = globSync(['README.md', 'docs/*.md'], { cwd: root }).flatMap((path) =>
  codeBlocks(readFileSync(`${root}${path}`, 'utf8'))
    .filter(({ info }) => info === 'krontab')
    .map(({ lines, line }): [string, readonly string[]] => [`${path}, line ${line}`, lines]),
)
const files = globSync('examples/**/*.krontab', { cwd: root }).map(
  (path): [string, readonly string[]] => [path, linesOf(readFileSync(`${root}${path}`, 'utf8'))],
)

describe('the grammar of krontabs', () => {
  it.each([...files, ...documented])('has nothing against %s', (_, lines) => {
    expect(lines.flatMap(refusedIn)).toEqual([])
  })

  it('was shown examples and documentation', () => {
    expect(files.length).toBeGreaterThan(2)
    expect(documented.length).toBeGreaterThan(0)
  })

  it('has nothing against any line that the parser takes', () => {
    let taken = 0
    const property = fc.property(krontabLines, (line) => {
      if (!isTaken(line)) return
      taken++
      expect(refusedIn(line), line).toEqual([])
    })
    fc.assert(property, { numRuns: 3000 })
    expect(taken).toBeGreaterThan(1000)
  })

  it.each([
    ['0 25 * * * name=a command=b', ['25']],
    ['0 0 32 * * name=a command=b', ['32']],
    ['0 0 * FOO * name=a command=b', ['FOO']],
    ['0 0 * MON * name=a command=b', ['MON']],
    ['0 0 * * 8 name=a command=b', ['8']],
    ['0 0 0 1 1 * name=a command=b', ['0', '*']],
    ['0 0 * * name=a command=b', ['0', '0', '*', '*']],
    ['@dayly name=a command=b', ['@dayly']],
    ['0 5 * * * /usr/local/bin/verify', ['/usr/local/bin/verify']],
    ['0 0 * * * @window(after,3h) name=a command=b', ['@window']],
    ['0 0 * * * @Win(after,3h) name=a command=b', ['@Win']],
    ['0 0 * * * @win(after,3) name=a command=b', ['3']],
    ['0 0 * * * @win(later,3h) name=a command=b', ['later']],
    ['0 0 * * * @win(after,3 hours) name=a command=b', ['3', 'hours']],
    ['0 0 * * * @dist(gauss) name=a command=b', ['gauss']],
    ['0 0 * * * @dist(normal,sigma=wide) name=a command=b', ['wide']],
    ['0 0 * * * @policy(dedline=5m) name=a command=b', ['dedline']],
    ['0 0 * * * @policy(concurrency=never) name=a command=b', ['never']],
    ['0 0 * * * @only(hour=3) name=a command=b', ['hour']],
    ['0 0 * * * name=Prune_Old command=b timeout=90', ['Prune_Old', '90']],
    ['0 0 * * * name=a comand=b', ['comand']],
    ['0 0 * * * name=a command=b c', ['c']],
    ['0 0 * * * name=a command=b stdout=/dev/null umask=9 shell=yes', ['/dev/null', '9', 'yes']],
  ])('shows in red what is wrong with %s', (line, wrong) => {
    expect(isTaken(line)).toBe(false)
    const refused = refusedIn(line)
    for (const text of wrong) expect(refused).toContain(text)
  })

  it('takes up again with the next line after one that is not closed', () => {
    for (const line of ['0 0 * * * @win(after', '0 0 * * * name="a', '0 0 * * * @seed(salt="']) {
      expect(() => tokenize(line)).not.toThrow()
    }
  })
})

describe('what the parser knows is highlighted', () => {
  it.each(modifierNames)('the modifier @%s', (name) => {
    const scope = scopeOf(`0 0 * * * @${name}(`, `@${name}`)
    expect(scope).toBe('entity.name.function.modifier.krontab')
  })

  it.each(fieldNames)('the field %s', (name) => {
    expect(scopeOf(`0 0 * * * ${name}=1`, name)).toBe('keyword.other.field.krontab')
  })

  it.each([
    ['win', allowedBy('0 0 * * * @win(after,1h,x=1)')],
    ['seed', allowedBy('0 0 * * * @seed(x=1)')],
    ['policy', allowedBy('0 0 * * * @policy(x=1)')],
    ['dist', allowedBy('0 0 * * * @dist(normal,x=1)')],
    ['dist', allowedBy('0 0 * * * @dist(exponential,x=1)')],
    ['dist', allowedBy('0 0 * * * @dist(skewLate,x=1)')],
    ['only', allowedBy('0 0 * * * @only(x=1)').filter((word) => !['one', 'of'].includes(word))],
  ])('the keys of @%s: %j', (name, keys) => {
    expect(keys.length).toBeGreaterThan(1)
    for (const key of keys) {
      const scope = scopeOf(`0 0 * * * @${name}(${key}=1)`, key)
      expect(scope, key).toBe('variable.parameter.krontab')
    }
  })

  it.each([
    ['@win(%)', allowedBy('0 0 * * * @win(x,1h)')],
    ['@dist(%)', allowedBy('0 0 * * * @dist(x)')],
    ['@seed(%)', allowedBy('0 0 * * * @seed(x)')],
    ['@policy(first=%)', allowedBy('0 0 * * * @policy(first=x)')],
    ['@policy(concurrency=%)', allowedBy('0 0 * * * @policy(concurrency=x)')],
    ['@dist(normal,mu=%)', allowedBy('0 0 * * * @dist(normal,mu=x)')],
  ])('the words of %s: %j', (form, words) => {
    const meant = words.filter((word) => !['one', 'of'].includes(word))
    expect(meant.length).toBeGreaterThan(1)
    for (const word of meant) {
      const scope = scopeOf(`0 0 * * * ${form.replace('%', word)}`, word)
      expect(scope, word).toBe('support.constant.krontab')
    }
  })

  it('the macros', () => {
    const macros = allowedBy('@x').filter((word) => word.startsWith('@') && word !== '@x')
    expect(macros).toContain('@daily')
    for (const macro of macros) {
      expect(scopeOf(`${macro} name=a`, macro), macro).toBe('constant.language.macro.krontab')
    }
  })
})
