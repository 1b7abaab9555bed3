import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readText, repository } from '../documentation/documentation-host.js'

/** A test that shows that a demand is met, or the part of a page that says so. */
export interface NamedTest {
  readonly file: string
  /** Of a test: the titles of its groups and its own. Of a page: a heading. */
  readonly titles: readonly string[]
}

/** Each as `file` › `titles`. */
export const namedTestsIn = (cell: string): NamedTest[] =>
  [...cell.matchAll(/`([^`]+)` › `([^`]+)`/g)].map(([, file, titles]) => ({
    file: file!,
    titles: titles!.split(' > '),
  }))

/** Why a reader would not find this test, or null. */
export function problemOfTest(test: NamedTest): string | null {
  if (!existsSync(join(repository, test.file))) return `${test.file} does not exist`
  return test.file.endsWith('.md') ? problemOfHeading(test) : problemOfTitles(test)
}

function problemOfTitles({ file, titles }: NamedTest): string | null {
  const text = textOf(file)
  const missing = titles.slice(0, -1).find((group) => !isWritten(text, group))
  if (missing !== undefined) return `${file} has no group "${missing}"`
  const title = titles.at(-1)!
  return isTest(text, title) ? null : `${file} has no test "${title}"`
}

function problemOfHeading({ file, titles }: NamedTest): string | null {
  const wanted = titles.join(' > ')
  const headings = [...textOf(file).matchAll(/^#+ (.*)$/gm)].map(([, heading]) => heading)
  return headings.includes(wanted) ? null : `${file} has no heading "${wanted}"`
}

const isWritten = (text: string, title: string): boolean => new RegExp(literal(title)).test(text)

/** As the first thing in the parentheses of `it(...)` or of what `it.each(...)` answers. */
const isTest = (text: string, title: string): boolean =>
  new RegExp(`(?:\\b(?:it|test)\\(|\\)\\()\\s*${literal(title)}`).test(text)

/** A string of the source with exactly this content, in any of the three quotes. */
function literal(title: string): string {
  const escaped = title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return `(['"\`])${escaped.replace(/['"]/g, '\\\\?$&')}\\1`
}

const texts = new Map<string, string>()

function textOf(file: string): string {
  const text = texts.get(file) ?? readText(file)
  texts.set(file, text)
  return text
}
