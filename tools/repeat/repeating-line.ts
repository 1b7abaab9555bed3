export interface FailedTest {
  /** From the folder of the project. */
  readonly file: string
  /** With the titles of its groups; null when the file could not even be read. */
  readonly title: string | null
  /** What the test itself says that it was random with. */
  readonly seed: number | undefined
  readonly messages: readonly string[]
}

/** fast-check ends its report so; our own tests name the variable. */
const seedInMessage = /\{ seed: (-?\d+)|KRON_SEED=(-?\d+)/

/** What to type to see a test fail again, with the same random choices. */
export function repeatingLine({ file, title, seed, messages }: FailedTest): string {
  const said = messages.map((message) => seedInMessage.exec(message)).find((match) => match)
  const known = seed ?? said?.[1] ?? said?.[2]
  const words = ['npx vitest run', quoted(file)]
  if (known !== undefined) words.unshift(`KRON_SEED=${known}`)
  if (title !== null) words.push('-t', quoted(`^${patternOf(title)}$`))
  return words.join(' ')
}

/** vitest takes a regular expression. */
const patternOf = (title: string): string =>
  title.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll('\n', '\\n')

/** For a shell; only what needs it. */
const quoted = (word: string): string =>
  /^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
