import { createHash } from 'node:crypto'
import { basename } from 'node:path'

const longestName = 48

/** Words before the program that is meant: shell syntax, and programs that run another. */
const keywords = new Set(
  'if then else elif do while until ! time exec nohup setsid chronic cronic'.split(' '),
)
/** What each takes before the program it runs: options with a value, and words of its own. */
const wrappers: ReadonlyMap<string, { readonly valued: RegExp; readonly own: number }> = new Map([
  ['nice', { valued: /^(?:-n|--adjustment)$/, own: 0 }],
  ['ionice', { valued: /^-[cn]$/, own: 0 }],
  ['env', { valued: /^-[uCS]$/, own: 0 }],
  ['sudo', { valued: /^(?:-[ugCEp]|--user|--group)$/, own: 0 }],
  ['timeout', { valued: /^(?:-[ks]|--signal|--kill-after)$/, own: 1 }],
  ['flock', { valued: /^(?:-[wE]|--timeout|--wait)$/, own: 1 }],
])
/** Programs that prepare or test something; a line is rarely about them. */
const setup = new Set(
  'cd test [ [[ command which type sleep export source . for umask ulimit set true : fi done exit'.split(
    ' ',
  ),
)
const shell = /^(?:ba|da|z|k)?sh$/
const interpreter = /^(?:(?:ba|da|z|k)?sh|python[\d.]*|perl|php[\d.]*|ruby|node|nodejs)$/

/** A readable name from what a command runs: `run-parts-hourly`, `certbot-renew`. */
export function nameOfCommand(command: string): string {
  const commands = simpleCommands(command).map(unwrapped)
  const meant = commands.find(isMeant)
  const words = meant ?? commands.find((candidate) => candidate.length > 0) ?? []
  const name = slug(partsOf(words).join('-')).slice(0, longestName)
  return name.replace(/-+$/, '') || 'job'
}

function isMeant(words: readonly string[]): boolean {
  const [program] = words
  if (program === undefined || setup.has(basename(program))) return false
  return shell.test(basename(program)) || !isInlineCode(words)
}

function unwrapped(words: readonly string[]): string[] {
  let rest = [...words]
  for (;;) {
    const first = rest[0]
    if (first === undefined) return []
    const wrapper = wrappers.get(basename(first))
    if (keywords.has(first) || /^[A-Za-z_]\w*=/.test(first)) rest = rest.slice(1)
    else if (wrapper !== undefined) {
      rest = withoutOptions(rest.slice(1), wrapper.valued).slice(wrapper.own)
    } else return rest
  }
}

function withoutOptions(words: readonly string[], valued: RegExp): string[] {
  let at = 0
  while (words[at]?.startsWith('-')) at += valued.test(words[at]!) ? 2 : 1
  return words.slice(at)
}

const isInlineCode = ([program = '', ...rest]: readonly string[]): boolean =>
  interpreter.test(basename(program)) && rest.some((argument) => /^-[a-z]*[cer]$/.test(argument))

function partsOf(words: readonly string[]): string[] {
  const [program = '', ...rest] = words
  const own = basename(program)
  if (isInlineCode(words)) {
    return shell.test(own) ? [nameOfCommand(rest.slice(1).join(' '))] : [own]
  }
  const first = rest.find((argument) => !/^-|=/.test(argument))
  if (interpreter.test(own) && first !== undefined) {
    return partsOf(rest.slice(rest.indexOf(first)))
  }
  return [own.replace(/\.(?:sh|bash|py|pl|php|rb|js)$/, ''), argumentPart(first)]
}

/** A subcommand, or the last part of a path; other arguments name nothing. */
function argumentPart(argument: string | undefined): string {
  if (argument === undefined || argument.length > 64) return ''
  if (/^[A-Za-z][\w:.-]{0,23}$/.test(argument)) return argument
  if (!/^~?\/[\w./-]+$/.test(argument)) return ''
  return basename(argument)
    .replace(/^cron\./, '')
    .slice(0, 24)
}

const slug = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')

/** The simple commands of a shell text, each as its words. Only good enough to name things. */
export function simpleCommands(text: string): string[][] {
  const commands: string[][] = [[]]
  const token =
    /[;&|(){}\n]|(?:\$\(\([^()]*\)\)|\$\([^()]*\)|[^\s;&|(){}"'\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')+|["'\\]/gs
  for (const [found] of text.matchAll(token)) {
    if (/^[;&|(){}\n]$/.test(found)) commands.push([])
    else commands.at(-1)?.push(found.replace(/["'\\]/g, ''))
  }
  return commands.map(withoutRedirections).filter((words) => words.length > 0)
}

function withoutRedirections(words: readonly string[]): string[] {
  const kept: string[] = []
  for (let at = 0; at < words.length; at++) {
    const isRedirection = /^\d*[<>]/.test(words[at]!)
    if (!isRedirection) kept.push(words[at]!)
    else if (/^\d*[<>]+$/.test(words[at]!)) at++
  }
  return kept
}

/** What distinguishes two jobs of one file. */
export interface Nameable {
  readonly schedule: string
  readonly user: string
  readonly command: string
}

/**
 * Names for all jobs of a file. Each says what the job is, and nothing else of the file: a line
 * that is added above, below or with the same command renames no other. Identities contain these
 * names, so that a renamed job would be a new one, with other times and without its history. Only
 * lines that are equal in everything are counted.
 */
export function uniqueNames(jobs: readonly Nameable[]): string[] {
  const taken = new Set<string>()
  const counts = new Map<string, number>()
  return jobs.map((job) => {
    const name = `${nameOfCommand(job.command)}-${shortHash(job)}`
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    return free(name, taken, count)
  })
}

/** The name, or with a number behind it when it is taken; takes it. Numbers begin at `first`. */
export function free(name: string, taken: Set<string>, first = 1): string {
  let number = first
  while (taken.has(numbered(name, number))) number++
  taken.add(numbered(name, number))
  return numbered(name, number)
}

const numbered = (name: string, number: number): string =>
  number === 1 ? name : `${name}-${number}`

/** With 32 bits not even a thousand lines of one program are likely to have one twice. */
function shortHash({ schedule, user, command }: Nameable): string {
  const hash = createHash('sha256').update([schedule, user, command].join('\n'))
  return hash.digest('hex').slice(0, 8)
}
