import type { Command } from 'commander'

/** For commands that work on the database itself. */
export function withData(command: Command): Command {
  return command
    .option('--data <folder>', 'where the embedded database and the key are kept', 'kron-data')
    .option(
      '--database <url>',
      'postgres://... or an SQLite file (default: KRON_DATABASE, or in --data)',
    )
}
