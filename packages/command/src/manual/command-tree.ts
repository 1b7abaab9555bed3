import type { Command } from 'commander'

/** The program, and every command down to this one. */
export function lineage(command: Command): Command[] {
  return command.parent === null ? [command] : [...lineage(command.parent), command]
}

/** `krontab-lint` for `krontab lint`. */
export function pageName(command: Command): string {
  return lineage(command)
    .map((each) => each.name())
    .join('-')
}

/** Those that `--help` lists, without the `help` that commander may add. */
export function subcommandsOf(command: Command): Command[] {
  const visible = command.createHelp().visibleCommands(command)
  return visible.filter((each) => command.commands.includes(each))
}

export const summaryOf = (command: Command): string => command.summary() || command.description()
