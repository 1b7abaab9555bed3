import type { Mistake } from './mistake.ts'
import { Newcomer, type Seen } from './newcomer.ts'

export interface Story extends Omit<Mistake, 'see'> {
  /** What was done before, such as files that were written. */
  readonly given?: (ada: Newcomer) => void | Promise<void>
  /** Types the command, unless there is more to it. */
  readonly see?: (ada: Newcomer, command: string) => Promise<Seen>
  /** Run by another Node than the one that runs this. */
  readonly node?: () => string
}

/** A mistake that somebody with an empty home makes. */
export function mistake({ given, see = typed, node, ...about }: Story): Mistake {
  return {
    ...about,
    see: async () => {
      const ada = new Newcomer(node?.())
      try {
        await given?.(ada)
        return await see(ada, about.command)
      } finally {
        await ada.leaves()
      }
    },
  }
}

const typed = (ada: Newcomer, command: string): Promise<Seen> => ada.types(command)

/** On a terminal, until it ends by itself. */
export async function onTerminal(ada: Newcomer, command: string): Promise<Seen> {
  const terminal = ada.opensTerminal(command)
  const exitCode = await terminal.ended
  return { text: ada.steady(terminal.text), exitCode }
}

/** On a terminal, until it shows this; then it is stopped. */
export const onTerminalUntil =
  (words: string) =>
  async (ada: Newcomer, command: string): Promise<Seen> => {
    const terminal = ada.opensTerminal(command)
    await terminal.shows(words)
    const { text } = terminal
    terminal.pressCtrlC()
    const exitCode = await terminal.ended
    return {
      text: ada.steady(text.slice(0, text.indexOf('\n', text.indexOf(words)) + 1)),
      exitCode,
    }
  }
