import { Command, Option } from 'commander'
import { addCompletion } from '../src/manual/index.js'

/** A program with one of everything that commands, options and texts can be, for tests. */
export function sampleProgram(write: (text: string) => void = () => undefined): Command {
  const program = new Command('sample')
    .description('Shows what a program can have')
    .version('1.2.3', '-V, --version', "print the program's version")
    .helpCommand(false)
    .exitOverride()
    .configureOutput({ writeOut: write, writeErr: () => undefined })
    .addHelpText(
      'after',
      `
A path may be anything, even:
  .hidden\\file
and this is told after it.

Exit codes: 0 success.`,
    )
  addShow(program)
  program
    .command('copy')
    .description('Copy [all] of it: "a" to `b`.')
    .argument('<what>', 'a name')
    .argument('<to-file>', '.dot is fine')
    .option('--level <level>', 'low, so-so or high', 'low')
    .option('--mode <mode>', 'fast or slow')
    .option('--why <reason>', "it's said")
  program.command('secret', { hidden: true }).description('Not for everybody')
  addCompletion(program)
  return program
}

function addShow(program: Command): void {
  program
    .command('show')
    .summary('Show things')
    .description('Show things, one after the other')
    .argument('[paths...]', 'what to show')
    .option(
      '-f, --file <path>',
      'read this; repeatable',
      (value: string, before: string[] = []) => [...before, value],
    )
    .addOption(new Option('--format <format>', 'how').choices(['text', 'json']).default('text'))
    .option('-n, --count <number>', 'how many')
    .option('--out <chart.svg>', 'also write a chart')
    .option('--strict', 'be strict')
    .option('--no-color', 'no colours')
    .addHelpText(
      'after',
      `
Examples:
  sample show                             all of it
  sample show "two  spaces" 'a  b' -n 3   with   care
  sample show --out ~/it's.svg`,
    )
}
