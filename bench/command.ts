import { type Format, OptionError, type UsualOptions } from './option-reader.ts'
import { writeResultsInto } from './report/readme.ts'

/** One benchmark, as its command runs it. */
export interface Benchmark<Options extends UsualOptions, Results> {
  readonly helpText: string
  readOptions(args: readonly string[]): Options
  run(options: Options): Results | Promise<Results>
  render(results: Results, format: Format): string
  readonly readme: URL
}

async function runCommand<Options extends UsualOptions, Results>(
  benchmark: Benchmark<Options, Results>,
): Promise<void> {
  const options = benchmark.readOptions(process.argv.slice(2))
  if (options.help) {
    process.stdout.write(benchmark.helpText)
    return
  }
  const results = await benchmark.run(options)
  process.stdout.write(benchmark.render(results, options.format))
  if (options.writeReadme) {
    writeResultsInto(benchmark.readme, benchmark.render(results, 'markdown'))
  }
}

/** Shows the help, or measures; whatever is wrong with the options is told in a line. */
export async function command<Options extends UsualOptions, Results>(
  benchmark: Benchmark<Options, Results>,
): Promise<void> {
  try {
    await runCommand(benchmark)
  } catch (error) {
    if (!(error instanceof OptionError)) throw error
    process.stderr.write(`${error.message}\nTry --help.\n`)
    process.exitCode = 2
  }
}
