import type { Command } from 'commander'

/** What stands below the built-in part of `--help`. */
export interface HelpSections {
  /** Paragraphs without a heading that is known here. */
  readonly paragraphs: readonly (readonly string[])[]
  readonly examples: readonly Example[]
}

export interface Example {
  readonly command: string
  /** null where the command speaks for itself. */
  readonly meaning: string | null
}

export function helpSections(command: Command): HelpSections {
  const blocks = textAfterHelp(command)
    .split(/\n\s*\n/)
    .map((block) => block.split('\n').filter((line) => line.trim() !== ''))
    .filter((lines) => lines.length > 0)
  const [examples, others] = [
    blocks.filter(hasExamples),
    blocks.filter((block) => !hasExamples(block)),
  ]
  return {
    // A page has a section of its own for exit codes.
    paragraphs: others.filter(([first]) => !first!.startsWith('Exit codes:')),
    examples: examples.flatMap(([, ...lines]) => lines.map(exampleOf)),
  }
}

const hasExamples = ([first]: readonly string[]): boolean => first === 'Examples:'

/** commander gives out what `addHelpText` was told only by printing all of the help. */
function textAfterHelp(command: Command): string {
  const written: string[] = []
  const before = command.configureOutput()
  try {
    command.configureOutput({ writeOut: (text) => void written.push(text) })
    command.outputHelp()
    return written.slice(written.indexOf(command.helpInformation()) + 1).join('')
  } finally {
    command.configureOutput(before)
  }
}

/** Two spaces outside of quotes stand between a command and its meaning. */
const commandAndMeaning = /^((?:"[^"]*"|'[^']*'|[^"'])*?\S) {2,}(\S.*)$/

function exampleOf(line: string): Example {
  const text = line.trim()
  const match = commandAndMeaning.exec(text)
  if (match === null) return { command: text, meaning: null }
  return { command: match[1]!, meaning: match[2]! }
}
