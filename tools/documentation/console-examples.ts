import { type CodeBlock, codeBlocks } from './code-blocks.ts'

/** A command of a console block and its output according to the documentation. */
export interface ConsoleExample {
  /** 1-based line of the command. */
  readonly line: number
  readonly command: string
  /** 1-based line where the output begins. */
  readonly outputLine: number
  readonly expected: readonly string[]
}

/** `$ command`, continued with a backslash at the end of a line, and the output up to the next. */
export function consoleExamples(markdown: string): ConsoleExample[] {
  return codeBlocks(markdown)
    .filter(({ info }) => info === 'console')
    .flatMap(examplesOf)
}

type Draft = { -readonly [Key in keyof ConsoleExample]: ConsoleExample[Key] } & {
  readonly expected: string[]
}

function examplesOf({ lines, line }: CodeBlock): ConsoleExample[] {
  const examples: Draft[] = []
  let continues = false
  for (const [index, text] of lines.entries()) {
    const last = examples.at(-1)
    if (continues && last !== undefined) {
      last.command += ` ${text.replace(/\\$/, '').trim()}`
      last.outputLine++
    } else if (text.startsWith('$ ')) {
      const command = text.slice(2).replace(/\\$/, '').trim()
      examples.push({ line: line + index, command, outputLine: line + index + 1, expected: [] })
    } else last?.expected.push(text)
    continues = (continues || text.startsWith('$ ')) && text.endsWith('\\')
  }
  for (const { expected } of examples) {
    while (expected.at(-1) === '') expected.pop()
  }
  return examples
}

/**
 * Whether an output is what was expected, where a line `...` stands for any lines, also none.
 * Spaces at the end of lines don't count: editors remove them.
 */
export function matches(expected: readonly string[], actual: readonly string[]): boolean {
  const wanted = expected.map((line) => line.trimEnd())
  const printed = actual.map((line) => line.trimEnd())
  const gap = wanted.indexOf('...')
  if (gap < 0) return sameLines(wanted, printed)
  if (!sameLines(wanted.slice(0, gap), printed.slice(0, gap))) return false
  const rest = wanted.slice(gap + 1)
  for (let from = gap; from <= printed.length; from++) {
    if (matches(rest, printed.slice(from))) return true
  }
  return false
}

const sameLines = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((line, index) => line === b[index])

/** The text with what each command prints now; outputs with lines left out stay as they are. */
export function refreshed(
  markdown: string,
  printed: (example: ConsoleExample) => readonly string[],
): string {
  const lines = markdown.split('\n')
  for (const example of consoleExamples(markdown).reverse()) {
    if (example.expected.includes('...')) continue
    const output = printed(example).map((line) => line.trimEnd())
    lines.splice(example.outputLine - 1, example.expected.length, ...output)
  }
  return lines.join('\n')
}
